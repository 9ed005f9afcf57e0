import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import * as adk from '@skein/adk';
import { type App, App as EngineApp, type BaseAgent, type LlmRequest, type LlmResponse } from '@skein/engine';
import { transformSync } from '@swc/core';
import { type Asked } from '../played';

/** A case's agents as a process that was just started has them, and what their models were asked since. */
export interface FreshApp {
  readonly app: App;
  readonly asked: Asked[];
}

interface AgentFile {
  readonly app?: App;
  readonly rootAgent?: BaseAgent;
}

const requireHere = createRequire(__filename);

/** Answers a function that starts the agent file anew each time: nothing of it is left from the run that was killed. */
export function compileApp(name: string, source: string): () => FreshApp {
  const file = path.join(__dirname, `${name}.agent.ts`);
  const { code } = transformSync(source, {
    filename: file,
    configFile: false,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  });
  const run = compileFunction(code, ['require', 'exports'], { filename: file }) as (
    require: (id: string) => unknown,
    exports: AgentFile,
  ) => void;
  return () => {
    const asked: Asked[] = [];
    const exports: AgentFile = {};
    run((id) => (id === '@skein/adk' ? { ...adk, ScriptedLlm: loggingTo(asked) } : requireHere(id)), exports);
    return { app: exports.app ?? bareApp(name, exports.rootAgent), asked };
  };
}

function bareApp(name: string, rootAgent: BaseAgent | undefined): App {
  if (!rootAgent) throw new Error(`${name} exports no agent`);
  return new EngineApp({ name, rootAgent });
}

/** The scripted model, with a log of its own. */
function loggingTo(asked: Asked[]): typeof adk.ScriptedLlm {
  return class extends adk.ScriptedLlm {
    override generateContentAsync(
      request: LlmRequest,
      ...others: [stream?: boolean, signal?: AbortSignal]
    ): AsyncGenerator<LlmResponse, void> {
      const { contents, config, ordinal, origin } = request;
      const sent = JSON.parse(JSON.stringify({ contents, config })) as Asked['request'];
      asked.push({ agent: origin?.agentName ?? '', ordinal, request: sent });
      return super.generateContentAsync(request, ...others);
    }
  };
}
