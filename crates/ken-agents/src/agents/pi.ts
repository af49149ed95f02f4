export default function (pi: any) {
  let told = "";
  const payload = (name: string, ctx: any) => {
    const file = ctx?.sessionManager?.getSessionFile?.();
    const session = ctx?.sessionManager?.getSessionId?.() || file || "";
    return { hook_event_name: name, session_id: session, transcript_path: file, cwd: ctx?.cwd || process.cwd() };
  };
  // The text goes in once a session, beside the first prompt.
  pi.on("before_agent_start", async (_event: any, ctx: any) => {
    const start = payload("SessionStart", ctx);
    if (told && told === String(start.session_id)) return;
    told = String(start.session_id) || "session";
    const text = await tell({ ...start, source: "startup" });
    if (text) return { message: { customType: "kenning", content: text, display: false } };
  });
  pi.on("agent_end", async (_event: any, ctx: any) => void (await tell(payload("Stop", ctx))));
  pi.on("session_before_compact", async (_event: any, ctx: any) => void (await tell(payload("PreCompact", ctx))));
  pi.on("session_shutdown", async (_event: any, ctx: any) => void (await tell(payload("SessionEnd", ctx))));
}
