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
 * A communicator of some or all ranks of the job. Its context is a number that distinguishes it
 * from the other communicators of the same rank.
 */
final class MpjCommunicator extends MessageCommunicator {
  private final MessageEngine engine;
  private final IntConsumer ending;
  private final int context;
  private final int[] members;

  private MpjCommunicator(
      MessageEngine engine,
      IntConsumer ending,
      int context,
      int[] members,
      RankSet rankSet,
      int rank,
      String name) {
    super(rank, rankSet, name, engine.ended());
    this.engine = engine;
    this.ending = ending;
    this.context = context;
    this.members = members;
    engine.take(context);
  }

  /**
   * Returns the communicator of all ranks.
   *
   * @param engine the engine of this rank
   * @param ending the function that ends the whole job with an exit code
   */
  static MpjCommunicator world(MessageEngine engine, IntConsumer ending) {
    int[] all = IntStream.range(0, engine.link().size()).toArray();
    RankSet set = RankSet.of(all.length);
    return new MpjCommunicator(engine, ending, 0, all, set, engine.link().rank(), "world");
  }

  /** Converts the rank of a process in the job to its rank in this communicator. */
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
    var _ = engine.work();
    return PacketRequest.send(
        this,
        engine,
        engine.send(context, tag, members[destination], buffer),
        new Received(rank(), tag, buffer.byteSize()));
  }

  @Override
  protected PacketRequest startReceive(MemorySegment buffer, int source, int tag) {
    var _ = engine.work();
    int member = source == ANY_SOURCE ? ANY_SOURCE : members[source];
    return PacketRequest.receive(this, engine, engine.receive(context, tag, member, buffer), tag);
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

  /**
   * Creates a communicator of the given ranks. For a single rank, it belongs to the local back end,
   * so any thread may use it.
   */
  private CheckedCommunicator child(int[] chosen, String childName) {
    int free = Math.toIntExact(allReduce(engine.contexts(), Reduction.MAX));
    engine.take(free);
    if (chosen.length == 1) {
      return LocalWorld.alone(childName, ending);
    }
    int own =
        IntStream.range(0, chosen.length)
            .filter(i -> chosen[i] == rank())
            .findFirst()
            .orElseThrow();
    int[] ranks = Arrays.stream(chosen).map(i -> members[i]).toArray();
    RankSet set = rankSet().split(ranks.length);
    return new MpjCommunicator(engine, ending, free, ranks, set, own, childName);
  }

  @Override
  protected void abortJob(int code) {
    ending.accept(code);
    throw failure("abort", MpiErrorClass.ABORTED, "the process did not end");
  }

  @Override
  protected void free() {
    // There are no resources outside the heap.
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
