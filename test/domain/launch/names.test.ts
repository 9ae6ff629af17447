import assert from "node:assert/strict";
import test from "node:test";

import { isCodeChangingKey } from "../../../src/domain/launch/execution-variables.ts";
import { baseName, hasParentSegment, isAbsolutePath, isInside } from "../../../src/domain/launch/paths.ts";
import { isShell } from "../../../src/domain/launch/shells.ts";

/** Those that the contract names, in its own order, then one of each further kind. */
const CODE_CHANGING =
  `NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONSTARTUP
  RUBYOPT PERL5OPT BASH_ENV ENV GIT_SSH_COMMAND JAVA_TOOL_OPTIONS
  node_options Ld_Preload PATH Path HOME SHELL npm_config_registry NPM_CONFIG_NODE_OPTIONS PIP_INDEX_URL
  UV_INDEX_URL PYTHONHOME PYTHONWARNINGS PYTHONUSERBASE GIT_CONFIG_COUNT BUNDLE_GEMFILE DOTNET_STARTUP_HOOKS
  COR_PROFILER CLASSPATH GCONV_PATH OPENSSL_CONF DOCKER_HOST BASH_FUNC_x%% LUA_INIT_5_4 EDITOR PAGER
  NODE_COMPILE_CACHE TSX_TSCONFIG_PATH TS_NODE_REQUIRE TS_NODE_PROJECT PSModulePath MAKEFLAGS VIMINIT KUBECONFIG
  AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE ERL_AFLAGS ELIXIR_ERL_OPTIONS TCLLIBPATH JRUBY_OPTS MAVEN_ARGS
  GRADLE_USER_HOME SVN_SSH HGRCPATH RSYNC_RSH SUDO_ASKPASS`.split(/\s+/);

for (const key of CODE_CHANGING) {
  test(`X2 ${key} changes which code runs`, () => assert.equal(isCodeChangingKey(key), true));
}

/** Keys out of real configurations that only carry data. */
const HARMLESS =
  `NODE_ENV API_KEY GITHUB_TOKEN GITHUB_PATH EXCEL_FILES_PATH PYTHONUNBUFFERED PYTHONIOENCODING LANG TZ DEBUG
  ENVIRONMENT MY_ENV BUILD_PATH OLD_PATHS HOMEPAGE PIPELINE UVICORN_PORT COLOR CORE_URL GITLAB_URL
  DOCKER_IMAGE AWS_PROFILE AWS_REGION KUBE_CONTEXT TS_CONFIG`.split(/\s+/);

for (const key of HARMLESS) {
  test(`X2 ${key} is plain data`, () => assert.equal(isCodeChangingKey(key), false));
}

const SHELLS =
  `/bin/sh bash /usr/bin/bash-5.2 zsh-5.9 /bin/dash ksh93 fish busybox /bin/busybox C:\\Windows\\System32\\cmd.exe
  POWERSHELL.EXE pwsh /usr/bin/env sudo xargs timeout nohup command.com /lib64/ld-linux-x86-64.so.2
  /lib/ld-musl-x86_64.so.1 coreutils`.split(/\s+/);

for (const path of SHELLS) {
  test(`X2 ${path} is a shell or starts whatever its arguments say`, () => assert.equal(isShell(path), true));
}

const PROGRAMS =
  "/usr/bin/node python3.11 npx uvx docker bashful /opt/sh/server shell-server envoy fisher".split(" ");

for (const path of PROGRAMS) {
  test(`X2 ${path} is a program of its own`, () => assert.equal(isShell(path), false));
}

test("X2 a shell behind a backslash is found on every system", () => {
  assert.equal(baseName("/tools\\bash"), "bash");
});

test("X2 absolute paths are told on both systems", () => {
  assert.deepEqual(
    ["/a", "C:\\a", "c:/a", "\\\\host\\share", "a", "./a", "C:a", "", "\\a"].map((path) =>
      isAbsolutePath(path),
    ),
    [true, true, true, true, false, false, false, false, false],
  );
});

test("X2 a parent segment is only a whole one", () => {
  assert.deepEqual(
    ["..", "a/..", "..\\a", "...", "a..b", "..a"].map((path) => hasParentSegment(path)),
    [true, true, true, false, false, false],
  );
});

test("X2 inside means the folder itself or a whole segment below it", () => {
  assert.deepEqual(
    ["/a", "/a/b", "/ab", "/", "/a\\b"].map((path) => isInside("/a", path)),
    [true, true, false, false, false],
  );
});
