/** Containers of key-value, array and BLOB objects with transactions. */
module io.skerry.iod {
  requires transitive io.skerry;
  requires rocksdbjni;
  // Only tests, which are compiled into this module, compile changed sources.
  requires static java.compiler;

  uses io.skerry.iod.engine.EngineProvider;

  provides io.skerry.iod.engine.EngineProvider with
      io.skerry.iod.rocksdb.RocksProvider;
  provides io.skerry.spi.Connector.Provider with
      io.skerry.iod.connector.IodProvider;
}
