-- What `fabula distribute` uses of Citus, on one PostgreSQL: the calls are noted, and refused where Citus refuses them.
CREATE TABLE citus_tables (table_name regclass, citus_table_type text, distribution_column text, beside text);
CREATE FUNCTION citus_get_active_worker_nodes() RETURNS TABLE (node_name text, node_port bigint) LANGUAGE sql AS
  $$ SELECT 'worker', number FROM generate_series(1, 2) AS number $$;
CREATE FUNCTION create_reference_table(given regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM citus_tables WHERE table_name = given) THEN
    RAISE EXCEPTION 'table "%" is already distributed', given;
  END IF;
  INSERT INTO citus_tables VALUES (given, 'reference', '<none>', NULL);
END $$;
CREATE FUNCTION create_distributed_table(given regclass, by text, colocate_with text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  other regclass;
BEGIN
  IF EXISTS (SELECT FROM citus_tables WHERE table_name = given) THEN
    RAISE EXCEPTION 'table "%" is already distributed', given;
  END IF;
  FOR other IN SELECT confrelid::regclass FROM pg_constraint WHERE contype = 'f' AND conrelid = given LOOP
    IF other != given AND NOT EXISTS (SELECT FROM citus_tables WHERE table_name = other) THEN
      RAISE EXCEPTION 'cannot create foreign key constraint: "%" is a local table', other;
    END IF;
  END LOOP;
  INSERT INTO citus_tables VALUES (given, 'distributed', by, colocate_with);
END $$;
CREATE FUNCTION truncate_local_data_after_distributing_table(given regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = given
             AND conrelid NOT IN (SELECT table_name FROM citus_tables)) THEN
    RAISE EXCEPTION 'cannot truncate a table referenced in a foreign key constraint by a local table';
  END IF;
END $$;
