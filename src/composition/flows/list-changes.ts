import { announcedLists, changedList, type ListKind } from "../../domain/catalog/list-kind.ts";
import type { ListPush } from "../../domain/session/list-push.ts";
import type { Clock } from "../../ports/clock.ts";
import type { McpPeer } from "../../ports/mcp-peer.ts";
import { followLists } from "./follow-lists.ts";

/** What one session tells of its server's lists, the same in both eras (V4). */
export interface ListChanges {
  readonly push: ListPush;
  follow(): void;
  onChanged(listener: (kind: ListKind) => void): void;
  onPush(listener: (push: ListPush) => void): void;
}

/**
 * Makes one event out of the plain notifications of the older era and the subscription of 2026-07-28. There a
 * notification that names no subscription of ours is none: the peer has dropped it.
 */
export function createListChanges(
  peer: McpPeer,
  options: { readonly clock: Clock; readonly acknowledgeMs: number },
): ListChanges {
  const changed: ((kind: ListKind) => void)[] = [];
  const pushed: ((push: ListPush) => void)[] = [];
  let followed: ListPush = "off";
  let following = false;
  const isModern = (): boolean => peer.identity.era === "modern";
  const tellChanged = (kind: ListKind): void => tell(changed, kind);
  peer.onNotification((method) => {
    const kind = isModern() ? undefined : changedList(method);
    if (kind !== undefined) tellChanged(kind);
  });
  peer.onPush(() => {
    if (!isModern()) tell(pushed, current());
  });
  const setFollowed = (push: ListPush): void => {
    if (push === followed) return;
    followed = push;
    tell(pushed, push);
  };
  function current(): ListPush {
    if (isModern()) return followed;
    return announcedLists(peer.identity.capabilities).length === 0 ? "none" : peer.push;
  }
  return {
    get push() {
      return current();
    },
    follow: () => {
      if (following || !isModern()) return;
      following = true;
      const kinds = announcedLists(peer.identity.capabilities);
      setFollowed("none");
      if (kinds.length === 0) return;
      const ending = new AbortController();
      void peer.closed.then(() => ending.abort("closed"));
      const { signal } = ending;
      void followLists(peer, {
        ...options,
        kinds,
        signal,
        onChanged: tellChanged,
        onPush: (push) => signal.aborted || setFollowed(push),
      });
    },
    onChanged: (listener) => void changed.push(listener),
    onPush: (listener) => void pushed.push(listener),
  };
}

function tell<Value>(listeners: readonly ((value: Value) => void)[], value: Value): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch {
      // A listener's fault is its own: it must not end the reading of other messages.
    }
  }
}
