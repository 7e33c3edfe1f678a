package io.skerry.iod.transaction;

/**
 * Sends the messages of the leader. An implementation ships them to other processes.
 *
 * <p>Messages between two processes arrive in the order in which they were sent, each at most once.
 * If a process is lost, its messages may be lost too; no message to or from the lost process
 * arrives after a new process has taken its place. Methods return without waiting for an answer,
 * and do not call the leader.
 */
public interface Link {
  /** Sends an order to a participant. */
  void send(int process, Order order);

  /** Sends a reply to a client. */
  void reply(int client, Reply reply);
}
