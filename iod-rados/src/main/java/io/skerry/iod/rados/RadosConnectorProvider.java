package io.skerry.iod.rados;

import io.skerry.iod.connector.provider.EngineConnectors;
import io.skerry.spi.Connector;

/** Provides the connector for locations {@code iod+rados://POOL/NAME}. */
public final class RadosConnectorProvider implements Connector.Provider {
  /** Creates the provider. */
  public RadosConnectorProvider() {}

  @Override
  public String scheme() {
    return RadosLocation.SCHEME;
  }

  @Override
  public Connector connector() {
    return EngineConnectors.of(RadosLocation.SCHEME);
  }
}
