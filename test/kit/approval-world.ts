import type { ApprovalRecord, Workspace } from "../../src/domain/activation/approval.ts";
import type { ProposalContext } from "../../src/composition/flows/propose-approval.ts";
import type { ExecutableFinder } from "../../src/ports/executable-finder.ts";
import { TRUSTED } from "./activation.ts";
import { file, folder, lookIn, type World } from "./launch-world.ts";

/** A machine with a workspace, a person's home folder, one program behind a link, and a shell. */
export function approvalWorld(): World {
  return new Map([
    ["/work", folder("/work")],
    ["/work/tools", folder("/work/tools")],
    ["/home/ada", folder("/home/ada")],
    ["/home/ada/notes", folder("/home/ada/notes")],
    ["/opt/data", folder("/opt/data")],
    ["/usr/lib/server-1.2", file("/usr/lib/server-1.2")],
    ["/usr/bin/sh", file("/usr/bin/sh")],
  ]);
}

/** Finds `server` and `sh` as PATH would; `lead` lets a name lead to another file. */
export function finderOf(paths: Readonly<Record<string, string>> = {}): ExecutableFinder & {
  readonly asked: string[];
} {
  const known = new Map(
    Object.entries({ server: "/usr/lib/server-1.2", sh: "/usr/bin/sh", ...paths }).map(
      ([name, realPath]) => [name, { foundAt: `/usr/bin/${name}`, realPath }] as const,
    ),
  );
  const asked: string[] = [];
  return {
    asked,
    find: async (command) => {
      asked.push(command);
      return known.get(command);
    },
  };
}

export function proposalContextOf(
  parts: {
    readonly world?: World;
    readonly finder?: ExecutableFinder;
    readonly workspace?: Workspace | undefined;
    readonly records?: readonly ApprovalRecord[];
  } = {},
): ProposalContext {
  const { world = approvalWorld(), finder = finderOf(), records = [] } = parts;
  const workspace = "workspace" in parts ? parts.workspace : TRUSTED;
  return {
    finder,
    probe: { look: lookIn(world) },
    workspace,
    workspaceFolder: workspace === undefined ? undefined : "/work",
    userFolder: "/home/ada",
    records,
  };
}
