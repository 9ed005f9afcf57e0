import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';

/** `adk_sessions`: a session, its head, and the fence of whoever may append to it. */
@Entity('adk_sessions')
export class SessionEntity {
  @PrimaryColumn({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @PrimaryColumn({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  readonly id!: string;

  @Column({ type: 'jsonb', default: {} })
  readonly state!: Record<string, unknown>;

  /** Its own state at creation, before any event: where reading it at a `seq` begins. */
  @Column({ type: 'jsonb', name: 'initial_state', default: {} })
  readonly initialState!: Record<string, unknown>;

  @Column({ type: 'timestamptz', name: 'inserted_at', default: () => 'now()' })
  readonly insertedAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  readonly updatedAt!: Date;

  /** New for each creation, so that a session made again under an old id is told from the old one. */
  @Column({ type: 'uuid' })
  @Generated('uuid')
  readonly uid!: string;

  @Column({ type: 'bigint', name: 'last_seq', default: 0 })
  readonly lastSeq!: number;

  /** Events up to here are in the EVENTS stream; never ahead of what is, sometimes behind. */
  @Column({ type: 'bigint', name: 'published_seq', default: 0 })
  readonly publishedSeq!: number;

  /** The runner that claimed last: its cache is warm. */
  @Column({ type: 'text', nullable: true })
  readonly owner!: string | null;

  @Column({ type: 'bigint', name: 'owner_epoch', default: 0 })
  readonly ownerEpoch!: number;

  @Column({ type: 'bigint', name: 'append_no', default: 0 })
  readonly appendNo!: number;

  @Column({ type: 'bigint', name: 'queue_tail', default: 0 })
  readonly queueTail!: number;
}
