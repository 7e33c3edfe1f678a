package io.skerry.iod.rados;

import io.skerry.iod.connector.ContainerSettings;
import io.skerry.iod.connector.IodConnector;
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
    return new IodConnector(RadosLocation.SCHEME, ContainerSettings.DEFAULT);
  }
}
