import { type DepartureName } from './departures';

/** A file and a part of the name of a test in it, or the rule it names, as B26; in `.ci/run` a step. */
export type TestReference = readonly [file: string, name: string];

/** Something that a design document names: a module, struct, callback, table, behaviour or area of tests. */
export interface SeedItem {
  /** As the document calls it. */
  readonly item: string;
  /** The documents by their numbers. */
  readonly named: string;
  /** What holds it here. */
  readonly file?: string;
  /** Its name in that file. */
  readonly symbol?: string;
  /** What the document lists below it, each with its name in the same file. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly test?: TestReference;
  /** Decided otherwise; where `file` is given, that is how. */
  readonly departure?: DepartureName;
  /** Which later step brings it. */
  readonly later?: string;
  /** Not there yet although this step has to bring it. */
  readonly pending?: true;
}

/** Items that belong together, in the page's order. */
export interface SeedGroup {
  readonly title: string;
  readonly items: readonly SeedItem[];
}
