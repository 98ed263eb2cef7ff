DELETE FROM api_keys
DELETE FROM counters
DELETE FROM parts WHERE team <> ? AND part = ?
DELETE FROM parts WHERE team <> ? AND part > ?
DELETE FROM settings WHERE data IS NULL AND version < (SELECT version - ? FROM sandbox)
DELETE FROM tallies WHERE team <> ? AND NOT EXISTS (SELECT ? FROM teams WHERE id = team)
DELETE FROM teams
DELETE FROM writers
INSERT INTO teams (id, place, data, born, life, version, writer, due_at) SELECT v.id, m.place + v.at, v.data, v.born, v.life, v.version, ?, v.due_at::bigint FROM (VALUES (?)) v (id, at, data, born, life, version, due_at), (SELECT COALESCE(max(place), ?) + ? AS place FROM teams) m
SELECT ? / (CASE WHEN EXISTS (SELECT ? FROM api_keys WHERE key IN (?)) THEN ? ELSE ? END)
SELECT ? FROM api_keys WHERE key IN (?)
SELECT b.version, b.epoch, b.token_secret, (SELECT count(*) FROM questions q WHERE q.team = ? AND q.server = ?) AS questions, s.team, s.data, t.data AS on_file FROM sandbox b LEFT JOIN settings s ON s.version > ? LEFT JOIN teams t ON t.id = s.team WHERE b.version <> ?
SELECT data FROM teams ORDER BY place
SELECT id FROM teams WHERE due_at <= ? AND (leased_until IS NULL OR leased_until <= ?) ORDER BY due_at, place LIMIT ?
SELECT id, life, data FROM teams ORDER BY place
SELECT min(due_at) AS due_at FROM teams
SELECT name, count FROM tallies
SELECT t.data FROM api_keys k JOIN teams t ON t.id = k.team WHERE k.key = ?
SELECT team, life FROM ended_lives
SELECT version, pg_current_snapshot()::text AS commits, (SELECT min(due_at) FROM teams) AS due_at FROM sandbox
UPDATE sandbox SET epoch = epoch + ?, token_secret = ?
UPDATE sandbox SET version = version + ?
UPDATE settings SET version = (SELECT version FROM sandbox), data = NULL WHERE data IS NOT NULL AND team <> ? AND NOT EXISTS (SELECT ? FROM teams WHERE id = team)
