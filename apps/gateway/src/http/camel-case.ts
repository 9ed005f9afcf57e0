type Fields = Readonly<Record<string, unknown>>;

/**
 * ADK's Python clients may send the fields of a request in snake_case. Only the fields ADK knows are renamed, by name:
 * keys inside `args`, `response`, state and metadata are the author's own and stay as they are.
 */
export function camelCaseRequest(body: unknown): unknown {
  return rename(body, requestFields, { newMessage: camelCaseContent });
}

/** As camelCaseRequest, for a body that says something of a session: its creation, a change, a rewind. */
export function camelCaseSession(body: unknown): unknown {
  return rename(body, requestFields);
}

/** As camelCaseRequest, for the body that saves an artifact. */
export function camelCaseArtifact(body: unknown): unknown {
  return rename(body, requestFields, { artifact: camelCasePart });
}

function camelCaseContent(content: unknown): unknown {
  return rename(content, {}, { parts: camelCaseParts });
}

function camelCaseParts(parts: unknown): unknown {
  if (!Array.isArray(parts)) return parts;
  const renamed: readonly unknown[] = parts.map(camelCasePart);
  return renamed.some((part, index) => part !== parts[index]) ? renamed : parts;
}

function camelCasePart(part: unknown): unknown {
  return rename(part, partFields, {
    inlineData: (value) => rename(value, mediaFields),
    fileData: (value) => rename(value, mediaFields),
    functionResponse: (value) => rename(value, { will_continue: 'willContinue' }),
    videoMetadata: (value) => rename(value, { start_offset: 'startOffset', end_offset: 'endOffset' }),
  });
}

const requestFields: Readonly<Record<string, string>> = {
  app_name: 'appName',
  user_id: 'userId',
  session_id: 'sessionId',
  new_message: 'newMessage',
  state_delta: 'stateDelta',
  function_call_event_id: 'functionCallEventId',
  invocation_id: 'invocationId',
  rewind_before_invocation_id: 'rewindBeforeInvocationId',
  custom_metadata: 'customMetadata',
};

const partFields: Readonly<Record<string, string>> = {
  function_call: 'functionCall',
  function_response: 'functionResponse',
  inline_data: 'inlineData',
  file_data: 'fileData',
  executable_code: 'executableCode',
  code_execution_result: 'codeExecutionResult',
  thought_signature: 'thoughtSignature',
  video_metadata: 'videoMetadata',
};

const mediaFields: Readonly<Record<string, string>> = {
  mime_type: 'mimeType',
  display_name: 'displayName',
  file_uri: 'fileUri',
};

/** Drops nulls too: in ADK's JSON null means absent. What has nothing to be renamed in it is answered itself. */
function rename(
  value: unknown,
  names: Readonly<Record<string, string>>,
  inner: Readonly<Record<string, (value: unknown) => unknown>> = {},
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const renamed = new Map<string, unknown>();
  let isSame = true;
  for (const [key, field] of Object.entries(value as Fields)) {
    const name = Object.hasOwn(names, key) ? (names[key] ?? key) : key;
    // The camelCase spelling wins over the other, wherever in the object it stands.
    const isLeftOut = field === null || (name !== key && Object.hasOwn(value, name));
    const next = Object.hasOwn(inner, name) ? inner[name]?.(field) : field;
    if (!isLeftOut) renamed.set(name, next);
    isSame &&= !isLeftOut && name === key && next === field;
  }
  return isSame ? value : Object.fromEntries(renamed);
}
