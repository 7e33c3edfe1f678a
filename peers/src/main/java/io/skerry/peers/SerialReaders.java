package io.skerry.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Serial processes of h5py that read the same virtual dataset at the same time. Each process reads
 * its share of the dataset or all of it. The processes do not communicate.
 */
final class SerialReaders implements AutoCloseable {
  private final List<PythonChild> processes = new ArrayList<>();

  /**
   * Creates processes that are not yet started.
   *
   * @param arguments the arguments of {@code virtual_reads.py}
   */
  SerialReaders(int count, Object... arguments) {
    for (int i = 0; i < count; i++) {
      processes.add(new PythonChild("virtual_reads.py", arguments));
    }
  }

  /**
   * The result of a run.
   *
   * @param seconds the time of the slowest process in seconds
   * @param sum the sum of the values of all processes
   */
  record Taken(double seconds, long sum) {}

  /**
   * Starts the processes one after another, since the first one creates the files if they do not
   * exist.
   *
   * @return the version of HDF5
   * @throws UnsupportedOperationException if h5py is missing, as in {@link PythonChild#ask}
   */
  String start() throws IOException {
    String version = "";
    for (PythonChild process : processes) {
      version = process.ask("version");
    }
    return version;
  }

  /**
   * Reads on all processes at the same time.
   *
   * @param task {@code share} if each process reads its share of the dataset; {@code whole} if each
   *     process reads all of it
   */
  Taken read(String task) throws IOException {
    for (int i = 0; i < processes.size(); i++) {
      processes.get(i).send(task.equals("share") ? task + " " + i + " " + processes.size() : task);
    }
    double slowest = 0;
    long sum = 0;
    for (PythonChild process : processes) {
      String[] answer = process.answer().split(" ");
      slowest = Math.max(slowest, Double.parseDouble(answer[0]));
      sum += Long.parseLong(answer[1]);
    }
    return new Taken(slowest, sum);
  }

  @Override
  public void close() throws IOException {
    for (PythonChild process : processes) {
      process.close();
    }
  }
}
