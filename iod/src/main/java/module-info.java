/** Containers of key-value, array and BLOB objects with transactions. */
// The compiler does not find the module to which a package is exported, because that module is
// built after this one.
@SuppressWarnings("module")
module io.skerry.iod {
  requires transitive io.skerry;
  requires rocksdbjni;
  // Needed only by tests, which are compiled into this module and compile modified sources.
  requires static java.compiler;

  exports io.skerry.iod.connector.provider to
      io.skerry.iod.rados;
  exports io.skerry.iod.connector.store to
      io.skerry.integration;
  exports io.skerry.iod.connector.tile to
      io.skerry.integration;
  exports io.skerry.iod.engine to
      io.skerry.integration,
      io.skerry.iod.rados;
  exports io.skerry.iod.engine.shard to
      io.skerry.iod.rados;
  exports io.skerry.iod.object to
      io.skerry.integration;
  exports io.skerry.iod.shipper.option to
      io.skerry.integration;
  exports io.skerry.iod.shipper.wire to
      io.skerry.integration;
  exports io.skerry.iod.transaction to
      io.skerry.integration;

  uses io.skerry.iod.engine.EngineProvider;

  provides io.skerry.iod.engine.EngineProvider with
      io.skerry.iod.rocksdb.RocksProvider;
  provides io.skerry.spi.Connector.Provider with
      io.skerry.iod.connector.IodProvider;
}
