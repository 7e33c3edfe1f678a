package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.VersionChoice;

/**
 * Encodes the requests of clients to the leader and its replies. Local, thread-safe.
 *
 * <pre>
 * kind  request        fields (types as in {@link FieldWriter}); each begins with i32 client,
 *                      u64 id, and a ticket is u64 session, u64 number
 * 64    Start          u64 number, i32 clients
 * 65    StartNext
 * 66    Finish         ticket
 * 67    Abort          ticket, u8 extent
 * 68    Skip           u64 first, u64 last
 * 69    AwaitReadable  ticket
 * 70    Persist        ticket
 * 71    Acquire        u8 choice, u64 number
 * 72    Release        u64 session, u64 id, u64 transaction
 * 73    Snapshot       text name
 *
 * kind  reply          fields; each begins with i32 client, u64 id
 * 80    Done
 * 81    Started        ticket
 * 82    Acquired       u64 session, u64 id, u64 transaction
 * 83    SnapshotTaken  u64 transaction
 * 84    Refused        u8 refusal, text message
 * </pre>
 */
final class RequestCodec {
  static final int FIRST = 64;
  static final int LAST = 73;
  static final int FIRST_REPLY = 80;
  static final int LAST_REPLY = 84;

  private RequestCodec() {}

  /** Appends the fields of a request, and returns its kind. */
  static int write(Request request, FieldWriter to) {
    to.u32(request.client()).u64(request.id());
    return switch (request) {
      case Request.Start start -> {
        to.u64(start.number()).u32(start.clients());
        yield FIRST;
      }
      case Request.StartNext _ -> 65;
      case Request.Finish finish -> {
        ticket(finish.ticket(), to);
        yield 66;
      }
      case Request.Abort abort -> {
        ticket(abort.ticket(), to);
        to.code(abort.extent());
        yield 67;
      }
      case Request.Skip skip -> {
        to.u64(skip.first()).u64(skip.last());
        yield 68;
      }
      case Request.AwaitReadable wait -> {
        ticket(wait.ticket(), to);
        yield 69;
      }
      case Request.Persist persist -> {
        ticket(persist.ticket(), to);
        yield 70;
      }
      case Request.Acquire acquire -> {
        to.code(acquire.choice()).u64(acquire.number());
        yield 71;
      }
      case Request.Release release -> {
        context(release.context(), to);
        yield 72;
      }
      case Request.Snapshot snapshot -> {
        to.text(snapshot.name());
        yield LAST;
      }
    };
  }

  /**
   * Reads a request of a kind.
   *
   * @throws FormatException if the kind or a field is unknown
   */
  static Request read(int kind, FieldReader from) {
    int client = from.number("client");
    long id = from.u64();
    return switch (kind) {
      case FIRST -> new Request.Start(client, id, from.u64(), from.i32());
      case 65 -> new Request.StartNext(client, id);
      case 66 -> new Request.Finish(client, id, ticket(from));
      case 67 -> new Request.Abort(client, id, ticket(from), from.code(AbortExtent.values()));
      case 68 -> new Request.Skip(client, id, from.u64(), from.u64());
      case 69 -> new Request.AwaitReadable(client, id, ticket(from));
      case 70 -> new Request.Persist(client, id, ticket(from));
      case 71 -> new Request.Acquire(client, id, from.code(VersionChoice.values()), from.u64());
      case 72 -> new Request.Release(client, id, context(from));
      case LAST -> new Request.Snapshot(client, id, from.text());
      default ->
          throw new FormatException("message: kind of a request", FIRST + " to " + LAST, kind);
    };
  }

  /** Appends the fields of a reply to a client, and returns its kind. */
  static int write(Message.Replying replying, FieldWriter to) {
    Reply reply = replying.reply();
    to.u32(replying.client()).u64(reply.id());
    return switch (reply) {
      case Reply.Done _ -> FIRST_REPLY;
      case Reply.Started started -> {
        ticket(started.ticket(), to);
        yield 81;
      }
      case Reply.Acquired acquired -> {
        context(acquired.context(), to);
        yield 82;
      }
      case Reply.SnapshotTaken taken -> {
        to.u64(taken.transaction());
        yield 83;
      }
      case Reply.Refused refused -> {
        to.code(refused.refusal()).text(refused.message());
        yield LAST_REPLY;
      }
    };
  }

  /**
   * Reads a reply of a kind.
   *
   * @throws FormatException if the kind or a field is unknown
   */
  static Message.Replying readReply(int kind, FieldReader from) {
    int client = from.number("client");
    long id = from.u64();
    Reply reply =
        switch (kind) {
          case FIRST_REPLY -> new Reply.Done(id);
          case 81 -> new Reply.Started(id, ticket(from));
          case 82 -> new Reply.Acquired(id, context(from));
          case 83 -> new Reply.SnapshotTaken(id, from.u64());
          case LAST_REPLY -> new Reply.Refused(id, from.code(Refusal.values()), from.text());
          default ->
              throw new FormatException(
                  "message: kind of a reply", FIRST_REPLY + " to " + LAST_REPLY, kind);
        };
    return new Message.Replying(client, reply);
  }

  private static void ticket(Ticket ticket, FieldWriter to) {
    to.u64(ticket.session()).u64(ticket.number());
  }

  private static Ticket ticket(FieldReader from) {
    return new Ticket(from.u64(), from.u64());
  }

  private static void context(ReadContext context, FieldWriter to) {
    to.u64(context.session()).u64(context.id()).u64(context.transaction());
  }

  private static ReadContext context(FieldReader from) {
    return new ReadContext(from.u64(), from.u64(), from.u64());
  }
}
