package io.skerry.iod.connector;

import io.skerry.spi.Connector;

/**
 * Provides the connector for locations {@code iod:PATH}, where PATH is the folder of a container.
 */
public final class IodProvider implements Connector.Provider {
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
