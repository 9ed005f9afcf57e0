import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** `adk_memory_entries`: what was said in sessions that were added to their user's memory, and its words. */
@Entity('adk_memory_entries')
@Unique('adk_memory_entries_position', ['appName', 'userId', 'sessionId', 'position'])
// A GIN index, which TypeORM cannot describe.
@Index('adk_memory_entries_words', { synchronize: false })
export class MemoryEntryEntity {
  @PrimaryGeneratedColumn('uuid')
  readonly id!: string;

  @Column({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @Column({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @Column({ type: 'text', name: 'session_id', collation: 'C' })
  readonly sessionId!: string;

  /** Its place among the events of the session that were remembered with it. */
  @Column({ type: 'integer' })
  readonly position!: number;

  @Column({ type: 'text', name: 'event_id' })
  readonly eventId!: string;

  @Column({ type: 'text' })
  readonly author!: string;

  @Column({ type: 'jsonb' })
  readonly content!: Record<string, unknown>;

  /** Float seconds, as the event has them. */
  @Column({ type: 'double precision' })
  readonly timestamp!: number;

  @Column({ type: 'text', array: true })
  readonly words!: string[];
}
