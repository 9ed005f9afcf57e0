/** How much is logged; as @google/adk numbers it. */
export enum LogLevel {
  DEBUG = 0,
  INFO = 1,
  WARN = 2,
  ERROR = 3,
}

export interface Logger {
  log(level: LogLevel, ...args: unknown[]): void;
  debug(...args: unknown[]): void;
  info(...args: unknown[]): void;
  warn(...args: unknown[]): void;
  error(...args: unknown[]): void;
  setLogLevel(level: LogLevel): void;
}

/** To the console, which the services write to their log, with the ids of the run. */
class ConsoleLogger implements Logger {
  #level = LogLevel.INFO;

  setLogLevel(level: LogLevel): void {
    this.#level = level;
  }

  log(level: LogLevel, ...args: unknown[]): void {
    if (level < this.#level) return;
    const write = { 0: console.debug, 1: console.info, 2: console.warn, 3: console.error }[level];
    write(...args);
  }

  debug(...args: unknown[]): void {
    this.log(LogLevel.DEBUG, ...args);
  }

  info(...args: unknown[]): void {
    this.log(LogLevel.INFO, ...args);
  }

  warn(...args: unknown[]): void {
    this.log(LogLevel.WARN, ...args);
  }

  error(...args: unknown[]): void {
    this.log(LogLevel.ERROR, ...args);
  }
}

const SILENT: Logger = {
  log: silence,
  debug: silence,
  info: silence,
  warn: silence,
  error: silence,
  setLogLevel: silence,
};

let current: Logger = new ConsoleLogger();

/** The author's logger; what Skein itself logs is set by `LOG_LEVEL`. */
export function getLogger(): Logger {
  return current;
}

/** Puts another in its place; `null` silences it. */
export function setLogger(logger: Logger | null): void {
  current = logger ?? SILENT;
}

export function setLogLevel(level: LogLevel): void {
  current.setLogLevel(level);
}

function silence(): void {
  // What is said is not wanted.
}
