package io.skerry.iod.shipper.option;

/** The way in which clients change a container. */
public enum Protocol {
  /** By the transactions of {@link io.skerry.iod.transaction}; I/O rank 0 is the leader. */
  TRANSACTIONS,
  /**
   * By calls to the engine, as if the client had opened the container itself. For one client at a
   * time, such as a program that checks or copies a container.
   */
  DIRECT
}
