package io.skerry.iod.connector;

import io.skerry.spi.Connector;
import io.skerry.spi.ConnectorProvider;

/**
 * Provides the connector for locations {@code iod:PATH}, where PATH is the folder of a container.
 */
public final class IodProvider implements ConnectorProvider {
  /** Creates the provider. */
  public IodProvider() {}

  @Override
  public String scheme() {
    return "iod";
  }

  @Override
  public Connector connector() {
    return new IodConnector();
  }
}
