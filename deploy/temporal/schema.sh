#!/bin/sh
# Both databases of Temporal, at the schema of this image. The password comes from SQL_PASSWORD.
set -eu

tool() { # database, then what to do
  database=$1
  shift
  temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db "$database" "$@"
}

make() { # database, folder of its schema
  tool "$1" create || echo "the database $1 is there"
  tool "$1" setup-schema -v 0.0 || echo "the schema of $1 is there"
  tool "$1" update-schema -d "/etc/temporal/schema/postgresql/v12/$2/versioned"
}

make temporal temporal
make temporal_visibility visibility
