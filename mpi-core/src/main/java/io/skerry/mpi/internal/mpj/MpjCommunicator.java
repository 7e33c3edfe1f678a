package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.base.CheckedCommunicator;
import io.skerry.mpi.internal.base.MessageCommunicator;
import io.skerry.mpi.internal.local.LocalWorld;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Some ranks of the job with a context of their own: a number that no two communicators of a rank
 * share.
 */
final class MpjCommunicator extends MessageCommunicator {
  private final MessageEngine office;
  private final IntConsumer ending;
  private final int context;
  private final int[] members;

  private MpjCommunicator(
      MessageEngine office, IntConsumer ending, int context, int[] members, int rank, String name) {
    super(rank, members.length, name);
    this.office = office;
    this.ending = ending;
    this.context = context;
    this.members = members;
    office.take(context);
  }

  /**
   * All ranks.
   *
   * @param ending ends the whole job with an exit code
   */
  static MpjCommunicator world(MessageEngine office, IntConsumer ending) {
    int[] all = IntStream.range(0, office.link().size()).toArray();
    return new MpjCommunicator(office, ending, 0, all, office.link().rank(), "world");
  }

  /** The rank here of a rank of the job. */
  int rankOf(int member) {
    int rank = 0;
    while (members[rank] != member) {
      rank++;
    }
    return rank;
  }

  @Override
  protected void sendNow(MemorySegment buffer, int destination, int tag) {
    startSend(buffer, destination, tag).awaitHere("send");
  }

  @Override
  protected Received receiveNow(MemorySegment buffer, int source, int tag) {
    return startReceive(buffer, source, tag).awaitHere("receive");
  }

  @Override
  protected PacketRequest startSend(MemorySegment buffer, int destination, int tag) {
    var _ = office.work();
    return PacketRequest.send(
        this,
        office,
        office.send(context, tag, members[destination], buffer),
        new Received(rank(), tag, buffer.byteSize()));
  }

  @Override
  protected PacketRequest startReceive(MemorySegment buffer, int source, int tag) {
    var _ = office.work();
    int member = source == ANY_SOURCE ? ANY_SOURCE : members[source];
    return PacketRequest.receive(this, office, office.receive(context, tag, member, buffer), tag);
  }

  @Override
  protected CheckedCommunicator splitInto(int color, int key, String childName) {
    int[] chosen = membersOf(color, key);
    return child(chosen, childName);
  }

  @Override
  protected CheckedCommunicator copyOfThis(String childName) {
    return child(IntStream.range(0, size()).toArray(), childName);
  }

  /** A rank alone needs no messages, and any thread may use it. */
  private CheckedCommunicator child(int[] chosen, String childName) {
    int free = Math.toIntExact(allReduce(office.contexts(), Reduction.MAX));
    office.take(free);
    if (chosen.length == 1) {
      return LocalWorld.alone(childName);
    }
    int own =
        IntStream.range(0, chosen.length)
            .filter(i -> chosen[i] == rank())
            .findFirst()
            .orElseThrow();
    int[] ranks = Arrays.stream(chosen).map(i -> members[i]).toArray();
    return new MpjCommunicator(office, ending, free, ranks, own, childName);
  }

  @Override
  protected void abortJob(int code) {
    ending.accept(code);
    throw failure("abort", MpiErrorClass.ABORTED, "the process did not end");
  }

  @Override
  protected void free() {
    // Nothing is held outside the heap.
  }

  @Override
  protected boolean permanent() {
    return context == 0;
  }

  @Override
  protected boolean openToThreads() {
    return false;
  }
}
