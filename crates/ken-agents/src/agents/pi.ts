// kenning: written by `ken install pi`, removed by `ken uninstall pi`.
import { spawn } from "node:child_process";

const COMMAND = "KEN_COMMAND";
const WAIT_MS = 3000;

// Gives an event to `ken hook` and returns the text for the model; never throws, never takes long.
function tell(event: Record<string, unknown>): Promise<string> {
  return new Promise((resolve) => {
    let out = "";
    const done = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out).hookSpecificOutput?.additionalContext || "");
      } catch {
        resolve("");
      }
    };
    const timer = setTimeout(done, WAIT_MS);
    try {
      const child = spawn(COMMAND, { shell: true, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      child.stdout.on("data", (part) => (out += part));
      child.on("error", done);
      child.on("close", done);
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify({ agent: "pi", ...event }));
    } catch {
      done();
    }
  });
}

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
