export const Kenning = async ({ directory }) => {
  const known = new Set();
  const payload = (name, session) => ({ hook_event_name: name, session_id: session, cwd: directory });
  return {
    // The text goes in once a session, beside the first prompt.
    "chat.message": async (input, output) => {
      const session = input.sessionID;
      if (!session || known.has(session)) return;
      known.add(session);
      const text = await tell({ ...payload("SessionStart", session), source: "startup" });
      if (!text) return;
      output.parts.push({
        id: "prt_kenning" + Date.now(),
        sessionID: session,
        messageID: output.message.id,
        type: "text",
        text,
        synthetic: true,
      });
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID || event.properties?.info?.id;
      if (event.type === "session.idle") await tell(payload("Stop", session));
      if (event.type === "session.deleted") known.delete(session);
    },
    "experimental.session.compacting": async (input) => {
      known.delete(input.sessionID);
      await tell(payload("PreCompact", input.sessionID));
    },
  };
};
