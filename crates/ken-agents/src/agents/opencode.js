// kenning: written by `ken install opencode`, removed by `ken uninstall opencode`.
import { spawn } from "node:child_process";

const COMMAND = "KEN_COMMAND";
const WAIT_MS = 3000;

// Gives an event to `ken hook` and returns the text for the model; never throws, never takes long.
function tell(event) {
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
      child.stdin.end(JSON.stringify({ agent: "opencode", ...event }));
    } catch {
      done();
    }
  });
}

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
