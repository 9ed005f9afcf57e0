import type { ChatArguments } from './chat-arguments';

/** The command that goes on with the session, typed into any terminal, also one that does not know our DATA_DIR. */
export function comeBackCommand({ app, user, url }: ChatArguments, session: string): string {
  return [
    `npm run chat -- ${quoted(app)} --session ${quoted(session)}`,
    ...(user === 'user' ? [] : [`--user ${quoted(user)}`]),
    ...(url === undefined ? [] : [`--url ${quoted(url)}`]),
  ].join(' ');
}

/** As a shell reads it back. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
