/** Containers of key-value, array and BLOB objects with transactions. */
module io.skerry.iod {
  requires transitive io.skerry;

  uses io.skerry.iod.engine.EngineProvider;
}
