// One notice, and which notices a person has read. The read state is kept in this browser only, per user.

export interface NoticeText {
  title: string;
  body: string;
  level: string;
}

export interface Notice extends NoticeText {
  /** The invocation that sent it. */
  id: string;
  agent: string;
  session: string;
  run: string | null;
  /** RFC 3339. */
  at: string;
}

/** The text in the parameters of `data.notify`; null where the JSON is cut off. */
export function noticeText(params: string): NoticeText | null {
  try {
    const { title, body, level } = JSON.parse(params) as Record<string, unknown>;
    return { title: text(title), body: text(body), level: text(level) || "info" };
  } catch {
    return null;
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function unread(all: readonly Notice[], readUntil: string | null): Notice[] {
  return all.filter(({ at }) => readUntil === null || Date.parse(at) > Date.parse(readUntil));
}

const nameFor = (org: string, user: string) => `countersign.notices.${org}.${user}`;

export function readUntil(org: string, user: string): string | null {
  try {
    const stored = localStorage.getItem(nameFor(org, user));
    return stored === null || Number.isNaN(Date.parse(stored)) ? null : stored;
  } catch {
    return null;
  }
}

export function markRead(org: string, user: string, until: string): void {
  try {
    localStorage.setItem(nameFor(org, user), until);
  } catch {
    // Without storage, everything is unread again after a reload.
  }
}
