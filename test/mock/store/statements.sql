ALTER TABLE counts ADD COLUMN life bigint NOT NULL DEFAULT ?
ALTER TABLE counts ADD CONSTRAINT counts_of_life PRIMARY KEY (team, life, key)
ALTER TABLE counts DROP CONSTRAINT counts_pkey
ALTER TABLE entries ADD COLUMN life bigint NOT NULL DEFAULT ?
ALTER TABLE entries ADD CONSTRAINT entries_of_life PRIMARY KEY (team, life, key, seq)
ALTER TABLE entries DROP CONSTRAINT entries_pkey
ALTER TABLE records ADD COLUMN life bigint NOT NULL DEFAULT ?
ALTER TABLE records ADD CONSTRAINT records_of_life PRIMARY KEY (team, life, seq)
ALTER TABLE records DROP CONSTRAINT records_pkey
ALTER TABLE teams ADD COLUMN life bigint NOT NULL DEFAULT ?
BEGIN
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
COMMIT
CREATE INDEX api_keys_key ON api_keys (key)
CREATE INDEX records_of_life_kind ON records (team, life, kind, seq)
CREATE INDEX settings_version ON settings (version)
CREATE INDEX teams_due_at ON teams (due_at) WHERE due_at IS NOT NULL
CREATE TABLE IF NOT EXISTS sandbox ( team text NOT NULL PRIMARY KEY, tables_version int NOT NULL, tables_oldest int NOT NULL, epoch bigint NOT NULL, token_secret text NOT NULL, version bigint NOT NULL, settings text NOT NULL )
CREATE TABLE api_keys (team text COLLATE "C" NOT NULL, key text NOT NULL, PRIMARY KEY (team, key))
CREATE TABLE counters ( team text NOT NULL, name text NOT NULL, times bigint NOT NULL, until bigint NOT NULL, PRIMARY KEY (team, name) )
CREATE TABLE counts ( team text COLLATE "C" NOT NULL, key bigint NOT NULL, count bigint NOT NULL, PRIMARY KEY (team, key) ) WITH (fillfactor = ?)
CREATE TABLE ended_lives (team text COLLATE "C" NOT NULL, life bigint NOT NULL, PRIMARY KEY (team, life))
CREATE TABLE entries ( team text COLLATE "C" NOT NULL, key bigint NOT NULL, seq bigint NOT NULL, PRIMARY KEY (team, key, seq) )
CREATE TABLE parts ( team text COLLATE "C" NOT NULL, name text NOT NULL, part int NOT NULL, data text NOT NULL, PRIMARY KEY (team, name, part) )
CREATE TABLE questions ( team text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, server text COLLATE "C" NOT NULL, at timestamptz NOT NULL, data text NOT NULL, PRIMARY KEY (team, id, server) )
CREATE TABLE records ( team text COLLATE "C" NOT NULL, seq bigint NOT NULL, kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, data text NOT NULL, keys text NOT NULL, PRIMARY KEY (team, seq) )
CREATE TABLE servers ( team text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, name text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (team, id) )
CREATE TABLE settings (team text COLLATE "C" NOT NULL PRIMARY KEY, version bigint NOT NULL, data text)
CREATE TABLE tallies ( team text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, count bigint NOT NULL, PRIMARY KEY (team, name) ) WITH (fillfactor = ?)
CREATE TABLE teams ( id text COLLATE "C" NOT NULL PRIMARY KEY, place bigint NOT NULL, data text NOT NULL, born text NOT NULL, version bigint NOT NULL, writer text NOT NULL, due_at bigint, leased_until bigint ) WITH (fillfactor = ?)
CREATE TABLE writers ( team text COLLATE "C" NOT NULL, writer text NOT NULL, mark bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (team, writer) ) WITH (fillfactor = ?)
CREATE UNIQUE INDEX records_of_life_id ON records (team, life, kind, id)
DELETE FROM api_keys
DELETE FROM api_keys WHERE team = ?
DELETE FROM counters
DELETE FROM counts WHERE team = ? AND life = ?
DELETE FROM ended_lives WHERE team = ? AND life = ?
DELETE FROM entries WHERE team = ? AND life = ?
DELETE FROM entries WHERE team = ? AND life = ? AND (key, seq) IN ((?))
DELETE FROM parts WHERE team <> ? AND part = ?
DELETE FROM parts WHERE team <> ? AND part > ?
DELETE FROM parts WHERE team = ? AND name = ? AND part = ?
DELETE FROM parts WHERE team = ? AND name = ? AND part > ?
DELETE FROM parts WHERE team = ? AND part = ?
DELETE FROM parts WHERE team = ? AND part > ?
DELETE FROM questions WHERE team = ? AND at < now() - interval ?
DELETE FROM questions WHERE team = ? AND id = ?
DELETE FROM records WHERE team = ? AND life = ?
DELETE FROM servers WHERE team = ? AND at < now() - interval ?
DELETE FROM servers WHERE team = ? AND id = ?
DELETE FROM settings WHERE data IS NULL AND version < (SELECT version - ? FROM sandbox)
DELETE FROM tallies WHERE (team, name) IN ((?))
DELETE FROM tallies WHERE team <> ? AND NOT EXISTS (SELECT ? FROM teams WHERE id = team)
DELETE FROM tallies WHERE team = ? AND NOT EXISTS (SELECT ? FROM teams WHERE id = team)
DELETE FROM teams
DELETE FROM teams WHERE id = ?
DELETE FROM writers
DELETE FROM writers WHERE team = ?
DROP INDEX records_id
DROP INDEX records_kind
INSERT INTO api_keys (team, key) VALUES (?)
INSERT INTO counters AS c (team, name, times, until) VALUES (?) ON CONFLICT (team, name) DO UPDATE SET times = CASE WHEN (? < c.until AND c.until <= ?) THEN c.times + ? ELSE ? END, until = CASE WHEN (? < c.until AND c.until <= ?) THEN c.until ELSE ? END RETURNING times, until
INSERT INTO counts (team, life, key, count) VALUES (?)
INSERT INTO counts AS c (team, life, key, count) SELECT ?, ?::bigint, v.* FROM (VALUES (?)) v ON CONFLICT (team, life, key) DO UPDATE SET count = c.count + excluded.count
INSERT INTO ended_lives (team, life) SELECT id, life FROM teams WHERE id = ?
INSERT INTO ended_lives (team, life) SELECT id, life FROM teams WHERE true
INSERT INTO entries (team, life, key, seq) SELECT ?, ?::bigint, v.* FROM (VALUES (?)) v
INSERT INTO parts (team, name, part, data) VALUES (?)
INSERT INTO parts (team, name, part, data) VALUES (?) ON CONFLICT (team, name, part) DO UPDATE SET data = excluded.data
INSERT INTO questions (team, id, server, at, data) SELECT team, id, ?, now(), ? FROM questions WHERE team = ? AND id = ? AND server = ? ON CONFLICT (team, id, server) DO NOTHING
INSERT INTO questions (team, id, server, at, data) VALUES (?, ?, ?, now(), ?), (?, ?, ?, now(), ?)
INSERT INTO servers (team, id, name, at) VALUES (?, ?, ?, now()) ON CONFLICT (team, id) DO UPDATE SET at = excluded.at
INSERT INTO settings AS s (team, version, data) SELECT t.id, b.version, ? FROM teams t, sandbox b WHERE id = ? ON CONFLICT (team) DO UPDATE SET version = excluded.version, data = COALESCE(s.data, excluded.data)
INSERT INTO settings AS s (team, version, data) SELECT t.id, b.version, ? FROM teams t, sandbox b WHERE true ON CONFLICT (team) DO UPDATE SET version = excluded.version, data = COALESCE(s.data, excluded.data)
INSERT INTO tallies AS c (team, name, count) VALUES (?) ON CONFLICT (team, name) DO UPDATE SET count = c.count + ?
INSERT INTO tallies AS c (team, name, count) VALUES (?) ON CONFLICT (team, name) DO UPDATE SET count = c.count + ? RETURNING name, count
INSERT INTO tallies AS c (team, name, count) VALUES (?) ON CONFLICT (team, name) DO UPDATE SET count = c.count + ? WHERE c.count < ? RETURNING name, count
INSERT INTO teams (id, place, data, born, life, version, writer, due_at) SELECT v.id, m.place + v.at, v.data, v.born, v.life, v.version, ?, v.due_at::bigint FROM (VALUES (?)) v (id, at, data, born, life, version, due_at), (SELECT COALESCE(max(place), ?) + ? AS place FROM teams) m
INSERT INTO writers (team, writer, mark, at) VALUES (?) ON CONFLICT (team, writer) DO UPDATE SET mark = excluded.mark, at = excluded.at
SELECT ? / (CASE WHEN EXISTS (SELECT ? FROM api_keys WHERE key IN (?)) THEN ? ELSE ? END)
SELECT ? / count(*) FROM teams WHERE id = ?
SELECT ? / count(*) FROM teams WHERE id = ? AND writer = ?
SELECT ? AS part, t.born, t.version, (SELECT count(*) FROM entries WHERE team = ? AND life = ? AND key IN (?)) AS total, x.* FROM teams t LEFT JOIN (SELECT ? AS seq) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, (SELECT sum(count) FROM counts WHERE team = ? AND life = ? AND key IN (?)) AS total, x.* FROM teams t LEFT JOIN (SELECT ? AS seq) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, (SELECT sum(count) FROM counts WHERE team = ? AND life = ? AND key IN (?)) AS total, x.* FROM teams t LEFT JOIN (SELECT r.seq, r.id, r.data, r.keys FROM records r WHERE team = ? AND life = ? AND r.seq = ANY (ARRAY (SELECT seq FROM ((SELECT seq FROM entries WHERE team = ? AND life = ? AND key = ? ORDER BY seq ASC LIMIT ?)) e ORDER BY seq ASC LIMIT ? OFFSET ?))) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, (SELECT sum(count) FROM counts WHERE team = ? AND life = ? AND key IN (?)) AS total, x.* FROM teams t LEFT JOIN (SELECT r.seq, r.id, r.data, r.keys FROM records r WHERE team = ? AND life = ? AND r.seq = ANY (ARRAY (SELECT seq FROM ((SELECT seq FROM entries WHERE team = ? AND life = ? AND key = ? ORDER BY seq DESC LIMIT ?)) e ORDER BY seq DESC LIMIT ? OFFSET ?))) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, x.* FROM teams t LEFT JOIN (SELECT r.seq, r.id, r.data, r.keys FROM records r WHERE team = ? AND life = ? AND r.kind = ? AND r.id IN (?)) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, x.* FROM teams t LEFT JOIN (SELECT r.seq, r.id, r.data, r.keys FROM records r WHERE team = ? AND life = ? AND r.seq = ANY (ARRAY (SELECT seq FROM entries WHERE team = ? AND life = ? AND key = ? ORDER BY seq ASC LIMIT ?))) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, x.* FROM teams t LEFT JOIN (SELECT r.seq, r.id, r.data, r.keys FROM records r WHERE team = ? AND life = ? AND r.seq = ANY (ARRAY (SELECT seq FROM entries WHERE team = ? AND life = ? AND key = ? ORDER BY seq DESC LIMIT ?))) x ON true WHERE t.id = ?
SELECT ? AS part, t.born, t.version, x.* FROM teams t LEFT JOIN (SELECT r.seq, r.id, r.keys FROM records r WHERE team = ? AND life = ? AND r.seq = ANY (ARRAY (SELECT seq FROM entries WHERE team = ? AND life = ? AND key = ?))) x ON true WHERE t.id = ?
SELECT ? FROM api_keys WHERE key IN (?)
SELECT ? FROM teams WHERE id = ?
SELECT FROM ended_lives WHERE team = ? AND life = ? FOR UPDATE
SELECT b.version, b.epoch, b.token_secret, (SELECT count(*) FROM questions q WHERE q.team = ? AND q.server = ?) AS questions, s.team, s.data, t.data AS on_file FROM sandbox b LEFT JOIN settings s ON s.version > ? LEFT JOIN teams t ON t.id = s.team WHERE b.version <> ?
SELECT born, version FROM teams WHERE id = ? FOR UPDATE
SELECT data FROM parts WHERE team = ? AND name = ? AND part = ?
SELECT data FROM parts WHERE team = ? AND name = ? AND part >= ? AND part < ? ORDER BY part
SELECT data FROM teams ORDER BY place
SELECT id FROM teams WHERE due_at <= ? AND (leased_until IS NULL OR leased_until <= ?) ORDER BY due_at, place LIMIT ?
SELECT id, life, data FROM teams ORDER BY place
SELECT id, life, data FROM teams WHERE id = ? ORDER BY place
SELECT key, seq FROM entries WHERE team = ? AND life = ? ORDER BY key, seq OFFSET ? LIMIT ?
SELECT mark FROM writers WHERE team = ? AND writer = ?
SELECT min(due_at) AS due_at FROM teams
SELECT name FROM parts WHERE team = ? AND part = ?
SELECT name, count FROM tallies
SELECT q.id, q.data FROM questions q WHERE q.team = ? AND q.server = ? AND q.at > now() - interval ? AND NOT EXISTS (SELECT ? FROM questions a WHERE a.team = ? AND a.id = q.id AND a.server = ?)
SELECT s.id, s.name, q.data FROM servers s LEFT JOIN questions q ON q.team = ? AND q.id = ? AND q.server = s.id WHERE s.team = ? AND s.at > now() - interval ? AND s.id NOT IN (?) ORDER BY s.id
SELECT seq FROM records WHERE team = ? AND life = ? ORDER BY seq OFFSET ? LIMIT ?
SELECT seq, kind, data FROM records WHERE team = ? AND life = ? AND seq > ? ORDER BY seq LIMIT ?
SELECT t.data FROM api_keys k JOIN teams t ON t.id = k.team WHERE k.key = ?
SELECT t.data, t.born, t.life, t.version, r.data AS provider FROM teams t LEFT JOIN records r ON r.team = t.id AND r.life = t.life AND r.kind = ? WHERE t.id = ? ORDER BY r.seq
SELECT team, life FROM ended_lives
SELECT version, data FROM settings WHERE team = ? AND data IS NOT NULL
SELECT version, pg_current_snapshot()::text AS commits, (SELECT min(due_at) FROM teams) AS due_at FROM sandbox
UPDATE records r SET data = v.data, keys = v.keys FROM (VALUES (?)) v (seq, data, keys) WHERE team = ? AND life = ? AND r.seq = v.seq
UPDATE sandbox SET epoch = epoch + ?, token_secret = ?
UPDATE sandbox SET version = version + ?
UPDATE settings SET version = (SELECT version FROM sandbox), data = ? WHERE team = ? AND version = ? RETURNING version
UPDATE settings SET version = (SELECT version FROM sandbox), data = NULL WHERE data IS NOT NULL AND team <> ? AND NOT EXISTS (SELECT ? FROM teams WHERE id = team)
UPDATE settings SET version = (SELECT version FROM sandbox), data = NULL WHERE data IS NOT NULL AND team = ? AND NOT EXISTS (SELECT ? FROM teams WHERE id = team)
UPDATE teams SET born = ?, life = ?, version = ?, due_at = ?, leased_until = NULL WHERE id = ?
UPDATE teams SET leased_until = ? WHERE id = (SELECT id FROM teams WHERE id = ? AND due_at <= ? AND (leased_until IS NULL OR leased_until <= ?) FOR UPDATE SKIP LOCKED) RETURNING data
UPDATE teams SET version = ?, writer = ? WHERE id = ? AND born = ? AND version = ?
UPDATE teams SET version = ?, writer = ?, born = ?, due_at = ?, leased_until = NULL WHERE id = ? AND born = ? AND version = ?
UPDATE teams SET version = ?, writer = ?, due_at = LEAST(due_at, ?), leased_until = NULL WHERE id = ? AND born = ? AND version = ?
WITH added AS (INSERT INTO records (team, life, seq, kind, id, data, keys) VALUES (?) RETURNING team, life, seq, keys) INSERT INTO entries (team, life, key, seq) SELECT team, life, unnest(string_to_array(keys, ?))::bigint, seq FROM added
WITH removed AS (DELETE FROM records WHERE team = ? AND life = ? AND seq IN (?) RETURNING seq, keys), old AS (SELECT unnest(string_to_array(keys, ?))::bigint AS key, seq FROM removed), fewer AS (UPDATE counts c SET count = c.count - s.count FROM (SELECT key, count(*) AS count FROM old GROUP BY key) s WHERE team = ? AND life = ? AND c.key = s.key) DELETE FROM entries e USING old WHERE team = ? AND life = ? AND e.key = old.key AND e.seq = old.seq
