/** Containers in a Ceph cluster. */
module io.skerry.iod.rados {
  requires transitive io.skerry.iod;

  provides io.skerry.iod.engine.EngineProvider with
      io.skerry.iod.rados.RadosProvider;
  provides io.skerry.spi.Connector.Provider with
      io.skerry.iod.rados.RadosConnectorProvider;
}
