import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `adk_tool_pools`: where the turns of each priority stopped in a pool, and who was there lately. */
@Entity('adk_tool_pools')
export class ToolPoolEntity {
  @PrimaryColumn({ type: 'text' })
  readonly pool!: string;

  /** By priority: the app and the user that had the last turn. */
  @Column({ type: 'jsonb', default: {} })
  readonly turns!: Record<string, [string, string]>;

  /** When users of the last moments had calls there, in milliseconds; by app and user. */
  @Column({ type: 'jsonb', default: {} })
  readonly seen!: Record<string, number>;
}

/** `adk_tool_lanes`: one row for each tool with a limit for the whole fleet. */
@Entity('adk_tool_lanes')
export class ToolLaneEntity {
  @PrimaryColumn({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  readonly tool!: string;

  /** Calls that its rate lets begin, as of `refilled_at`. */
  @Column({ type: 'double precision', default: 0 })
  readonly tokens!: number;

  @Column({ type: 'timestamptz', name: 'refilled_at', nullable: true })
  readonly refilledAt!: Date | null;
}
