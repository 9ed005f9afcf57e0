import { type Content, type Event, type Part } from '@skein/contracts';

/** An event in one line: who, where, what is said, then in brackets what it does beside. */
export function eventLine(event: Event): string {
  const place = event.branch ? `@${event.branch}` : '';
  const said = [...partTexts(event.content), ...marks(event)].join(' ');
  return `${event.author}${place}: ${said}`.trimEnd();
}

/** A content of a request in one line. */
export function contentLine(content: Content): string {
  return `${content.role ?? '(no role)'}: ${partTexts(content).join(' + ')}`;
}

function partTexts(content: Content | undefined): string[] {
  const texts = (content?.parts ?? []).map(partText);
  return texts.length > 0 ? [texts.join(' + ')] : [];
}

function partText(part: Part): string {
  const { text, thought, functionCall, functionResponse, executableCode, codeExecutionResult } = part;
  if (functionCall) return `${functionCall.name}(${json(functionCall.args)})`;
  if (functionResponse) return `${functionResponse.name} -> ${json(functionResponse.response)}`;
  if (executableCode) return `code<${executableCode.code ?? ''}>`;
  if (codeExecutionResult) return `output<${codeExecutionResult.output ?? ''}>`;
  if (text !== undefined) return thought ? `(${text})` : text;
  return json(part);
}

function marks({ actions, errorCode, longRunningToolIds, customMetadata }: Event): string[] {
  const { stateDelta, artifactDelta, agentState, compaction } = actions;
  const metadata = authorsOwn(customMetadata);
  return [
    longRunningToolIds?.length ? '[waits]' : '',
    hasKeys(stateDelta) ? `[state ${json(stateDelta)}]` : '',
    hasKeys(artifactDelta) ? `[artifacts ${json(artifactDelta)}]` : '',
    actions.transferToAgent ? `[to ${actions.transferToAgent}]` : '',
    actions.escalate ? '[escalates]' : '',
    actions.skipSummarization ? '[as it is]' : '',
    agentState ? `[stands at ${json(agentState)}]` : '',
    actions.endOfAgent ? '[ends]' : '',
    actions.rewindBeforeInvocationId ? '[rewinds]' : '',
    compaction ? `[compacts to ${partTexts(compaction.compactedContent).join('')}]` : '',
    errorCode ? `[error ${errorCode}]` : '',
    hasKeys(metadata) ? `[metadata ${json(metadata)}]` : '',
  ].filter(Boolean);
}

/** Ours begin with `skein.`, and are nothing anybody asked for. */
function authorsOwn(metadata: Event['customMetadata'] = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !key.startsWith('skein.')));
}

function hasKeys(record: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(record).length > 0;
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
