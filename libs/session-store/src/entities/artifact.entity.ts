import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** `adk_artifacts`: versions of artifacts; their bytes are in the object store. A user's own have an empty session id. */
@Entity('adk_artifacts')
export class ArtifactEntity {
  @PrimaryColumn({ type: 'text', name: 'app_name', collation: 'C' })
  readonly appName!: string;

  @PrimaryColumn({ type: 'text', name: 'user_id', collation: 'C' })
  readonly userId!: string;

  @PrimaryColumn({ type: 'text', name: 'session_id', collation: 'C' })
  readonly sessionId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  readonly filename!: string;

  @PrimaryColumn({ type: 'integer' })
  readonly version!: number;

  @Index('adk_artifacts_object_key')
  @Column({ type: 'text', name: 'object_key' })
  readonly objectKey!: string;

  @Column({ type: 'text', name: 'mime_type' })
  readonly mimeType!: string;

  @Column({ type: 'bigint', name: 'size_bytes' })
  readonly sizeBytes!: number;

  @Column({ type: 'text' })
  readonly sha256!: string;

  @Column({ type: 'jsonb', name: 'custom_metadata', nullable: true })
  readonly customMetadata!: Record<string, unknown> | null;

  /** What a save that is done again is known by. */
  @Column({ type: 'text', name: 'save_key', nullable: true })
  readonly saveKey!: string | null;

  @Column({ type: 'text', name: 'sniffed_type', nullable: true })
  readonly sniffedType!: string | null;

  @Column({ type: 'timestamptz', name: 'inserted_at', default: () => 'now()' })
  readonly insertedAt!: Date;
}
