import { baseName } from "./paths.ts";

/**
 * Programs whose job is to run another program that stands in their arguments: shells, and launchers that
 * look the next program up by themselves (`env`, `sudo`, `xargs` …). The approver fixes the real path of one
 * executable (M2); behind these it would be the wrong one.
 *
 * `npx`, `uvx`, `docker`, `node -e` are not here: what they run is written in the exact, approved arguments,
 * and nearly every published server is started so.
 */
const SHELLS: ReadonlySet<string> = new Set(
  `
  sh ash bash rbash dash zsh ksh ksh93 mksh pdksh oksh yash csh tcsh fish elvish nu xonsh rc es osh ysh
  busybox toybox coreutils cmd command powershell pwsh wsl wscript cscript mshta rundll32 conhost
  env sudo doas su runuser pkexec xargs parallel nohup nice ionice setsid stdbuf timeout time chroot unshare
  nsenter setpriv capsh systemd-run script expect unbuffer watch strace ltrace gdb flock chrt taskset
  start-stop-daemon ld.so ld-linux osascript
  `
    .trim()
    .split(/\s+/),
);

/** Whether the last part of `path` names a shell or a launcher, whatever its version, ending or case. */
export function isShell(path: string): boolean {
  const name = baseName(path)
    .toLowerCase()
    .replace(/\.(?:exe|com)$/, "");
  return (
    SHELLS.has(name) || SHELLS.has(withoutVersion(name)) || /^ld(?:-linux|-musl|64)?[\w-]*\.so/.test(name)
  );
}

/** `bash-5.2`, `zsh5`, `python3.11` without what follows the name. */
function withoutVersion(name: string): string {
  return name.replace(/-?\d[\d.]*$/, "");
}
