/** Versions of artifacts; their bytes lie in the object store. */
export const artifactTables = [
  `CREATE TABLE adk_artifacts (
    app_name text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    filename text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    object_key text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text NOT NULL,
    custom_metadata jsonb,
    save_key text,
    sniffed_type text,
    inserted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_name, user_id, session_id, filename, version)
  )`,
  `CREATE INDEX adk_artifacts_object_key ON adk_artifacts (object_key)`,

  // Keys that get no version any more, kept for as long as somebody may still ask for one: their objects go, or are gone.
  `CREATE TABLE adk_dropped_objects (
    object_key text NOT NULL PRIMARY KEY,
    dropped_at timestamptz NOT NULL DEFAULT now()
  )`,
];
