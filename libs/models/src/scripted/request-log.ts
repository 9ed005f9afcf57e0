import { appendFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type LlmRequest, readContents } from '@skein/engine';
import { modelSettings } from '../registry/model-settings';

/**
 * Appends a request to the file named by SCRIPTED_LLM_LOG, if any: one JSON line, written before the answer, so that a
 * test can count what a model was asked, over every process that asked it.
 */
export async function logRequest(request: LlmRequest): Promise<void> {
  const { scriptedLog } = modelSettings();
  if (!scriptedLog) return;
  const { origin, ordinal, model, config } = request;
  const line = {
    app: origin?.appName,
    sessionId: origin?.sessionId,
    invocationId: origin?.invocationId,
    agent: origin?.agentName,
    ordinal,
    pid: process.pid,
    host: hostname(),
    request: { model, contents: readContents(request), config },
  };
  await appendFile(scriptedLog, `${JSON.stringify(line)}\n`);
}
