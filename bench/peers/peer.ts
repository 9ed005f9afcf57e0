/** Somebody who holds the same conversation as Skein's bench agent, by their own means. */
export interface Peer {
  /** One turn: the user's event, a model call, a tool call, a model call, the final text; throws when it ends otherwise. */
  turn(sessionId: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

export interface PeerSettings {
  /** A database that is the peer's alone, on the Postgres that Skein is measured on. */
  readonly databaseUrl: string;
  /** A folder that is the peer's alone, on the disk that Skein is measured on. */
  readonly dataDir: string;
}

export type StartPeer = (settings: PeerSettings) => Promise<Peer>;
