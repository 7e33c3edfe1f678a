package io.skerry.spi;

/**
 * A service that provides the connector for locations of one scheme, such as {@code iod:run}; see
 * {@link Connectors#open(String, io.skerry.parallel.FileAccess, io.skerry.mpi.Communicator,
 * io.skerry.parallel.FileOptions)}. Programs do not call this interface.
 */
public interface ConnectorProvider {
  /**
   * Returns the scheme. Local, thread-safe; does not fail.
   *
   * @return at least two characters: a lower-case letter, then lower-case letters, digits or the
   *     characters {@code +.-}
   */
  String scheme();

  /**
   * Returns the connector, which receives the part of a location after the colon as a path. Local,
   * thread-safe; does not fail.
   *
   * @return the connector
   */
  Connector connector();
}
