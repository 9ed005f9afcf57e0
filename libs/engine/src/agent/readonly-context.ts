import { AdkError, type Content } from '@skein/contracts';
import { type AuthConfig, type AuthCredential } from '../auth/auth-config';
import { storedCredential } from '../auth/stored-credential';
import { State } from '../state/state';
import { type ContextScope } from './context-scope';
import { type InvocationContext, isInvocationContext } from './invocation-context';

/** What is asked of the run itself, where there is none: a tool call that was carried to a worker. */
export function noInvocation(): AdkError {
  return new AdkError(
    'invalid',
    'context.no-invocation',
    "invocationContext is the runner's: a tool that needs it says placement: 'inline'.",
  );
}

/** What instruction providers see: they may read, not write. */
export class ReadonlyContext {
  constructor(protected readonly scope: ContextScope) {}

  get userContent(): Content | undefined {
    return this.scope.userContent;
  }

  get invocationId(): string {
    return this.scope.invocationId;
  }

  /** The run this belongs to. Throws `context.no-invocation` in a tool worker. */
  get invocationContext(): InvocationContext {
    if (!isInvocationContext(this.scope)) throw noInvocation();
    return this.scope;
  }

  get appName(): string {
    return this.scope.session.appName;
  }

  get userId(): string {
    return this.scope.session.userId;
  }

  get sessionId(): string {
    return this.scope.session.id;
  }

  get agentName(): string {
    return this.scope.agentName;
  }

  get state(): Pick<State, 'get' | 'has' | 'toRecord'> {
    return new State(this.scope.session.state, [{}]);
  }

  /** The credential the user gave for this config in this invocation, or nothing yet (B35). */
  getAuthResponse(authConfig: AuthConfig): AuthCredential | undefined {
    return storedCredential(authConfig, this.state);
  }
}
