import { type Content } from '@skein/contracts';
import { aSession, calls, FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { requestIdsOf } from '../../../test/confirmations';
import { LlmAgent } from '../../agent/llm-agent';
import { type AuthConfig, type AuthCredential } from '../../auth/auth-config';
import { getFunctionCalls, getFunctionResponses } from '../../event/function-parts';
import { FunctionTool, type FunctionToolParams } from '../../tool/function-tool';

const REQUEST = 'adk_request_credential';

function aConfig(key = 'drive'): AuthConfig {
  return {
    authScheme: { type: 'oauth2', flows: { authorizationCode: { tokenUrl: 'https://auth.test/token' } } },
    rawAuthCredential: {
      authType: 'oauth2',
      oauth2: { clientId: 'client', clientSecret: 'RAW-SECRET', redirectUri: 'https://app.test' },
    },
    exchangedAuthCredential: {
      authType: 'oauth2',
      oauth2: { authUri: 'https://auth.test/?client_id=client', codeVerifier: 'RAW-SECRET' },
    },
    credentialKey: key,
  };
}

const given: AuthCredential = { authType: 'oauth2', oauth2: { accessToken: 'USER-SECRET' } };

/** A tool that needs the user's credential; `seen` gets what it was given. */
function aReader(seen: unknown[], options: Partial<FunctionToolParams<undefined>> = {}, key?: string) {
  return new FunctionTool({
    name: key ?? 'read',
    description: 'Reads.',
    execute: (_args, context) => {
      const credential = context.getAuthResponse(aConfig(key));
      seen.push(credential);
      if (!credential) context.requestCredential(aConfig(key));
      return credential ? 'read' : null;
    },
    ...options,
  });
}

function answering(
  ...answers: readonly (readonly [id: string, response: Record<string, unknown>])[]
): Content {
  return {
    role: 'user',
    parts: answers.map(([id, response]) => ({ functionResponse: { id, name: REQUEST, response } })),
  };
}

function namesOf({ events }: Turn): string[] {
  return events.map((event) => {
    const [call] = getFunctionCalls(event);
    const [response] = getFunctionResponses(event);
    return call?.name ?? (response ? `${response.name} answered` : (event.content?.parts?.[0]?.text ?? ''));
  });
}

function anAgent(tools: readonly FunctionTool[], ...answers: ConstructorParameters<typeof FakeLlm>[0]) {
  const model = new FakeLlm(answers);
  return { agent: new LlmAgent({ name: 'root', model, tools }), model };
}

async function asked(tool: (seen: unknown[]) => FunctionTool = aReader) {
  const seen: unknown[] = [];
  const { agent, model } = anAgent([tool(seen)], [calls({ id: 'c1', name: 'read' })], [text('done')]);
  const first = await runTurn(agent);
  return { agent, model, first, seen, id: requestIdsOf(first.events)[0] ?? '' };
}

function next(agent: LlmAgent, { session, journal }: Turn, said: Content, segment = 1): Promise<Turn> {
  return runTurn(agent, { session, journal, said, segment });
}

describe('a tool that needs a credential of its user', () => {
  it('asks for it before its response, and ends the turn with that (B20, B35)', async () => {
    const { first, model } = await asked();

    expect(namesOf(first)).toEqual(['read', REQUEST, 'read answered']);
    expect(model.requests).toHaveLength(1);
    expect(first.events[1]).toMatchObject({ longRunningToolIds: requestIdsOf(first.events) });
    expect(getFunctionCalls(first.events[1] ?? {})[0]?.args).toMatchObject({
      functionCallId: 'c1',
      authConfig: { credentialKey: 'drive', authScheme: { type: 'oauth2' } },
    });
  });

  it('is asked for in the order of the calls, whatever their ids (B26, B35)', async () => {
    const model = new FakeLlm([[calls({ id: 'z', name: 'mail' }, { id: 'a', name: 'drive' })]]);
    const tools = [aReader([], {}, 'mail'), aReader([], {}, 'drive')];

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools }));

    const asked = events.flatMap(getFunctionCalls).filter(({ name }) => name === REQUEST);
    expect(asked.map(({ args }) => args?.functionCallId)).toEqual(['z', 'a']);
  });

  it('tells a client all it needs to ask for consent, and no secret, in any event (B65)', async () => {
    const { first } = await asked();

    expect(JSON.stringify([first.events, first.session, first.journal.staged])).not.toContain('SECRET');
    expect(getFunctionCalls(first.events[1] ?? {})[0]?.args).toMatchObject({
      authConfig: {
        rawAuthCredential: {
          authType: 'oauth2',
          oauth2: { clientId: 'client', redirectUri: 'https://app.test' },
        },
        exchangedAuthCredential: { oauth2: { authUri: 'https://auth.test/?client_id=client' } },
      },
    });
  });

  it('runs again under its own id with what the user gave, the raw half put back (B35, B65)', async () => {
    const { agent, first, seen, id } = await asked();

    const turn = await next(agent, first, answering([id, { ...aConfig(), exchangedAuthCredential: given }]));

    expect(namesOf(turn)).toEqual(['read answered', 'done']);
    expect(turn.events.flatMap(getFunctionResponses)).toEqual([
      { id: 'c1', name: 'read', response: { result: 'read' } },
    ]);
    expect(seen[1]).toEqual({
      authType: 'oauth2',
      oauth2: {
        clientId: 'client',
        clientSecret: 'RAW-SECRET',
        redirectUri: 'https://app.test',
        accessToken: 'USER-SECRET',
      },
    });
  });

  it('leaves nothing of the credential in the log or the journal (B65)', async () => {
    const { agent, first, id } = await asked();

    const turn = await next(agent, first, answering([id, { ...aConfig(), exchangedAuthCredential: given }]));

    expect(JSON.stringify([turn.session.events, turn.journal.staged, turn.journal.records])).not.toContain(
      'SECRET',
    );
    expect(turn.session.events.filter(({ author }) => author === 'user')).toHaveLength(2);
  });

  it('reads and redacts an answer that is JSON text below `response` (B35, B65)', async () => {
    const { agent, first, seen, id } = await asked();
    const response = JSON.stringify({ exchangedAuthCredential: given });

    const turn = await next(agent, first, answering([id, { response }]));

    expect(seen[1]).toMatchObject({ oauth2: { accessToken: 'USER-SECRET' } });
    expect(JSON.stringify(turn.session.events)).not.toContain('SECRET');
  });

  it('is not asked for by a model that calls the question itself', async () => {
    const made = { id: 'made', name: REQUEST, args: { authConfig: { credentialKey: 'other' } } };
    const malformed = { id: 'malformed', name: REQUEST, args: {} };
    const { agent } = anAgent([], [calls(made, malformed)], [text('never mind')], [text('heard')]);
    const first = await runTurn(agent);

    const answer = answering(
      ['made', { exchangedAuthCredential: given }],
      ['malformed', { exchangedAuthCredential: given }],
    );
    const { events, error, session } = await next(agent, first, answer);

    expect(error).toBeUndefined();
    expect(session.state).toEqual({});
    expect(events.map(({ content }) => content?.parts?.[0]?.text)).toEqual(['heard']);
  });

  it('keeps the credential under the key it asked for, whatever the answer says', async () => {
    const { agent, first, seen, id } = await asked();
    const said = answering([id, { credentialKey: 'isAdmin', exchangedAuthCredential: given }]);

    const turn = await next(agent, first, said);

    expect(seen[1]).toMatchObject({ oauth2: { accessToken: 'USER-SECRET' } });
    expect(Object.keys(turn.session.state)).toEqual(['temp:drive']);
  });

  it('asks anew when the answer brings none', async () => {
    const { agent, first, seen, id } = await asked();

    const turn = await next(agent, first, answering([id, {}]));

    expect(seen).toEqual([undefined, undefined]);
    expect(namesOf(turn)).toEqual([REQUEST, 'read answered']);
    expect(requestIdsOf(turn.events)).not.toEqual([id]);
  });

  it('is not run again by an answer that is sent again', async () => {
    const { agent, first, seen, id } = await asked();
    const said = answering([id, { exchangedAuthCredential: given }]);
    const second = await next(agent, first, said);

    await next(agent, second, said, 2);

    expect(seen).toHaveLength(2);
  });

  it('stays open while the user answers another one only (B35)', async () => {
    const seen: unknown[] = [];
    const tools = [aReader(seen, {}, 'mail'), aReader(seen, {}, 'files')];
    const { agent } = anAgent(
      tools,
      [calls({ id: 'c1', name: 'mail' }, { id: 'c2', name: 'files' })],
      [text('one')],
      [text('both')],
    );
    const first = await runTurn(agent);
    const [mail = '', files = ''] = requestIdsOf(first.events);

    const second = await next(agent, first, answering([files, { exchangedAuthCredential: given }]));
    const third = await next(agent, second, answering([mail, { exchangedAuthCredential: given }]), 2);

    expect([namesOf(second), namesOf(third)]).toEqual([
      ['files answered', 'one'],
      ['mail answered', 'both'],
    ]);
    expect(seen).toHaveLength(4);
  });

  it('that was confirmed before is not confirmed again when the credential is there (B33, B35)', async () => {
    const { agent, first, seen, id } = await asked((list) => aReader(list, { requireConfirmation: true }));
    const yes = { functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } } };
    const second = await next(agent, first, { role: 'user', parts: [yes] });
    const [credentialRequest = ''] = requestIdsOf(second.events);

    const third = await next(
      agent,
      second,
      answering([credentialRequest, { exchangedAuthCredential: given }]),
      2,
    );

    expect([namesOf(second), namesOf(third)]).toEqual([
      [REQUEST, 'read answered'],
      ['read answered', 'done'],
    ]);
    expect(seen).toHaveLength(2);
  });

  it('has the credential too when a crash cuts the answered turn before it ran (B35)', async () => {
    const { agent, first, seen, id } = await asked();
    const between = structuredClone(first.session);
    const said = answering([id, { exchangedAuthCredential: given }]);
    const whole = await next(agent, first, said);

    const again = await runTurn(agent, {
      session: aSession(between),
      journal: whole.journal.cutAfter(between.events.length + 1),
      said,
      segment: 1,
    });

    expect(again.events).toEqual(whole.events);
    expect(seen.slice(1)).toEqual([seen[1], seen[1]]);
  });

  it('is not run again when a crash comes after its response is stored (B35)', async () => {
    const { agent, model, first, seen, id } = await asked();
    const between = structuredClone(first.session);
    const said = answering([id, { exchangedAuthCredential: given }]);
    const whole = await next(agent, first, said);

    const again = await runTurn(agent, {
      session: aSession(between),
      journal: whole.journal.cutAfter(between.events.length + 2),
      said,
      segment: 1,
    });

    expect(again.events).toEqual(whole.events);
    expect(seen).toHaveLength(2);
    expect(model.requests).toHaveLength(3);
  });
});
