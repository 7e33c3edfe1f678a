package io.skerry.testkit.fault;

import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Request;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;

/**
 * A communicator with a probe that observes the calls on all files opened through this communicator
 * and through communicators derived from it. Messages are passed on unchanged.
 */
public final class ProbedCommunicator implements Communicator {
  private final Communicator ranks;
  private final FileProbe probe;

  /**
   * Creates the communicator.
   *
   * @param ranks the communicator that executes all calls
   * @param probe the observer of calls on files
   */
  public ProbedCommunicator(Communicator ranks, FileProbe probe) {
    this.ranks = ranks;
    this.probe = probe;
  }

  @Override
  public int rank() {
    return ranks.rank();
  }

  @Override
  public int size() {
    return ranks.size();
  }

  @Override
  public String name() {
    return ranks.name();
  }

  @Override
  public RankSet rankSet() {
    return ranks.rankSet();
  }

  @Override
  public void barrier() {
    ranks.barrier();
  }

  @Override
  public CallOrder callOrder() {
    return ranks.callOrder();
  }

  @Override
  public void broadcast(MemorySegment buffer, int root) {
    ranks.broadcast(buffer, root);
  }

  @Override
  public void gather(MemorySegment send, MemorySegment receive, int root) {
    ranks.gather(send, receive, root);
  }

  @Override
  public void gatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements, int root) {
    ranks.gatherVariable(send, receive, counts, displacements, root);
  }

  @Override
  public void scatter(MemorySegment send, MemorySegment receive, int root) {
    ranks.scatter(send, receive, root);
  }

  @Override
  public void scatterVariable(
      MemorySegment send, long[] counts, long[] displacements, MemorySegment receive, int root) {
    ranks.scatterVariable(send, counts, displacements, receive, root);
  }

  @Override
  public void allGather(MemorySegment send, MemorySegment receive) {
    ranks.allGather(send, receive);
  }

  @Override
  public void allGatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements) {
    ranks.allGatherVariable(send, receive, counts, displacements);
  }

  @Override
  public void allToAll(MemorySegment send, MemorySegment receive) {
    ranks.allToAll(send, receive);
  }

  @Override
  public void allToAllVariable(
      MemorySegment send,
      long[] sendCounts,
      long[] sendDisplacements,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveDisplacements) {
    ranks.allToAllVariable(
        send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
  }

  @Override
  public void allReduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    ranks.allReduce(send, receive, kind, op);
  }

  @Override
  public void exclusiveScan(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    ranks.exclusiveScan(send, receive, kind, op);
  }

  @Override
  public long allReduce(long value, Reduction op) {
    return ranks.allReduce(value, op);
  }

  @Override
  public long[] allReduce(long[] values, Reduction op) {
    return ranks.allReduce(values, op);
  }

  @Override
  public long exclusiveScan(long value, Reduction op) {
    return ranks.exclusiveScan(value, op);
  }

  @Override
  public long[] exclusiveScan(long[] values, Reduction op) {
    return ranks.exclusiveScan(values, op);
  }

  @Override
  public long[] allGather(long value) {
    return ranks.allGather(value);
  }

  @Override
  public long[] allToAll(long[] values) {
    return ranks.allToAll(values);
  }

  @Override
  public byte[] broadcast(byte[] value, int root) {
    return ranks.broadcast(value, root);
  }

  @Override
  public void send(MemorySegment buffer, int destination, int tag) {
    ranks.send(buffer, destination, tag);
  }

  @Override
  public Received receive(MemorySegment buffer, int source, int tag) {
    return ranks.receive(buffer, source, tag);
  }

  @Override
  public Request sendLater(MemorySegment buffer, int destination, int tag) {
    return ranks.sendLater(buffer, destination, tag);
  }

  @Override
  public Request receiveLater(MemorySegment buffer, int source, int tag) {
    return ranks.receiveLater(buffer, source, tag);
  }

  @Override
  public Communicator split(int color, int key) {
    return new ProbedCommunicator(ranks.split(color, key), probe);
  }

  @Override
  public Communicator duplicate() {
    return new ProbedCommunicator(ranks.duplicate(), probe);
  }

  @Override
  public MpiFile openFile(Path path, OpenMode mode, Map<String, String> hints) {
    return new ProbedFile(ranks.openFile(path, mode, hints), ranks.rank(), probe);
  }

  @Override
  public void abort(int code) {
    ranks.abort(code);
  }

  @Override
  public void close() {
    ranks.close();
  }
}
