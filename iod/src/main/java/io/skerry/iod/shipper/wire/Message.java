package io.skerry.iod.shipper.wire;

import io.skerry.iod.transaction.Answer;
import io.skerry.iod.transaction.Order;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;

/** A message of the function shipper. {@link Frame} encodes it. */
public sealed interface Message {
  /**
   * A call, from a client to the owner of a shard.
   *
   * @param id the identifier of the call, unique for the client
   * @param call the call
   */
  record Calling(long id, Call call) implements Message {}

  /**
   * The result of a call, from an I/O rank to a client.
   *
   * @param id the identifier of the call
   * @param result the result
   */
  record Returning(long id, Result result) implements Message {}

  /**
   * The failure of a call, from an I/O rank to a client.
   *
   * @param id the identifier of the call
   * @param failure the failure
   */
  record Failing(long id, Failure failure) implements Message {}

  /**
   * A request to the leader, from a client to its I/O rank, and from there to I/O rank 0.
   *
   * @param request the request
   */
  record Asking(Request request) implements Message {}

  /**
   * A reply of the leader, from I/O rank 0 to the I/O rank of the client, and from there to the
   * client.
   *
   * @param client the number of the client
   * @param reply the reply
   */
  record Replying(int client, Reply reply) implements Message {}

  /**
   * An order of the leader, from I/O rank 0 to another I/O rank.
   *
   * @param order the order
   */
  record Ordering(Order order) implements Message {}

  /**
   * An answer to the leader, from an I/O rank to I/O rank 0.
   *
   * @param answer the answer
   */
  record Answering(Answer answer) implements Message {}

  /**
   * A client sends no more requests; the message takes the same route as {@link Asking}.
   *
   * @param client the number of the client
   */
  record Leaving(int client) implements Message {}

  /**
   * An I/O rank has given up a client; from this rank to I/O rank 0.
   *
   * @param client the number of the client
   */
  record Losing(int client) implements Message {}

  /** All clients have left; from I/O rank 0 to the others, and from them to their clients. */
  record Stopping() implements Message {}

  /**
   * An I/O rank has failed; from this rank to all others.
   *
   * @param failure the cause
   */
  record RankFailed(Failure failure) implements Message {}

  /**
   * An I/O rank has given up a client; from this rank to the client. If the rank of the client also
   * serves, it continues to do so.
   *
   * @param failure the cause
   */
  record GivenUp(Failure failure) implements Message {}

  /** The last message that a rank receives; the rank sends it to itself. */
  record Ending() implements Message {}
}
