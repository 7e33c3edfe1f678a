package io.skerry.iod.shipper;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A communicator whose sends and receives a test can change, drop or observe. */
final class Wire {
  /** The tag of messages. */
  static final int MESSAGE = 1;

  /** The tag of bulk data to I/O ranks. */
  static final int TO_SERVER = 2;

  /** The tag of bulk data to clients. */
  static final int TO_CLIENT = 3;

  private Wire() {}

  /** Changes the transfers of one rank. */
  interface Tap {
    /** Sends a message, or does something else. */
    default Request send(Communicator inner, MemorySegment buffer, int destination, int tag) {
      return inner.sendLater(buffer, destination, tag);
    }

    /** Observes the memory of a receive. */
    default void receives(MemorySegment buffer, int tag) {}
  }

  /** Returns a request that has ended, for a message that was dropped. */
  static Request dropped(MemorySegment buffer, int tag) {
    return new Request() {
      @Override
      public boolean done() {
        return true;
      }

      @Override
      public Received await() {
        return new Received(0, tag, buffer.byteSize());
      }
    };
  }

  /** Sends a message with a changed bit. */
  static Request damaged(
      Communicator inner, MemorySegment buffer, int destination, int tag, long at) {
    var copy = MemorySegment.ofArray(buffer.toArray(ValueLayout.JAVA_BYTE));
    copy.set(ValueLayout.JAVA_BYTE, at, (byte) (copy.get(ValueLayout.JAVA_BYTE, at) ^ 4));
    return inner.sendLater(copy, destination, tag);
  }

  /** Returns a communicator whose duplicates pass their transfers to a tap. */
  static Communicator tapped(Communicator inner, Tap tap) {
    return (Communicator)
        Proxy.newProxyInstance(
            Wire.class.getClassLoader(),
            new Class<?>[] {Communicator.class},
            (_, method, arguments) -> {
              switch (method.getName()) {
                case "sendLater" -> {
                  return tap.send(
                      inner, (MemorySegment) arguments[0], (int) arguments[1], (int) arguments[2]);
                }
                case "receiveLater" ->
                    tap.receives((MemorySegment) arguments[0], (int) arguments[2]);
                default -> {}
              }
              try {
                Object result = method.invoke(inner, arguments);
                return method.getName().equals("duplicate")
                    ? tapped((Communicator) result, tap)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
