package io.skerry.iod.transaction;

import java.util.List;

/**
 * Sends the messages of the leader, and keeps track of the answers that are owed. Not thread-safe.
 */
final class Outbox {
  private final Link link;
  private final Members members;

  Outbox(Link link, Members members) {
    this.link = link;
    this.members = members;
  }

  /** Sends an order that requires an answer. */
  void order(int process, Order order) {
    members.owes(process);
    link.send(process, order);
  }

  /** Sends an order that requires an answer to all participants. */
  void orderAll(Order order) {
    members.all().forEach(process -> order(process, order));
  }

  /** Sends an order that requires no answer to all participants. */
  void notifyAll(Order order) {
    members.all().forEach(process -> link.send(process, order));
  }

  void reply(int client, Reply reply) {
    link.reply(client, reply);
  }

  /** Replies to requests that have waited. */
  void done(List<Waits.Wait> waits) {
    waits.forEach(wait -> link.reply(wait.client(), new Reply.Done(wait.id())));
  }

  /** Refuses requests that have waited. */
  void refuse(List<Waits.Wait> waits, Refusal refusal, String message) {
    waits.forEach(
        wait -> link.reply(wait.client(), new Reply.Refused(wait.id(), refusal, message)));
  }
}
