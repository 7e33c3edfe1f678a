package io.skerry.iod.connector.provider;

import io.skerry.iod.connector.ContainerSettings;
import io.skerry.iod.connector.IodConnector;
import io.skerry.spi.Connector;

/** Creates the connectors of engines that other modules provide. */
public final class EngineConnectors {
  private EngineConnectors() {}

  /**
   * Returns a connector that stores files in containers of an engine. Local, thread-safe; does not
   * fail, even if there is no such engine.
   *
   * @param scheme the scheme of the engine
   */
  public static Connector of(String scheme) {
    return new IodConnector(scheme, ContainerSettings.DEFAULT);
  }
}
