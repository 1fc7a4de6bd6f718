#!/bin/sh
# PostgreSQL's image runs this once, when it creates the database: it creates the role that the shop works as, which
# owns nothing. 'migrate' grants its rights.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$SHOP_PASSWORD" <<'SQL'
create role irepo_work login password :'password';
SQL
