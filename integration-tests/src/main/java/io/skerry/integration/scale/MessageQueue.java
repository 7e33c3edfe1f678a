package io.skerry.integration.scale;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The messages sent to one rank that the rank has not received yet, by sender and tag. */
final class MessageQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Map<Slot, Queue<byte[]>> messages = new HashMap<>();

  private record Slot(int source, int tag) {}

  void put(int source, int tag, byte[] message) {
    lock.lock();
    try {
      messages.computeIfAbsent(new Slot(source, tag), _ -> new ArrayDeque<>(1)).add(message);
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next message from a rank with the given tag, and returns it. */
  byte[] take(int source, int tag) {
    Slot slot = new Slot(source, tag);
    lock.lock();
    try {
      while (!messages.containsKey(slot)) {
        arrived.awaitUninterruptibly();
      }
      Queue<byte[]> waiting = messages.getOrDefault(slot, new ArrayDeque<>());
      byte[] message = waiting.remove();
      if (waiting.isEmpty()) {
        messages.remove(slot);
      }
      return message;
    } finally {
      lock.unlock();
    }
  }
}
