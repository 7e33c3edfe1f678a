package io.skerry.iod.rados;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import io.skerry.iod.rados.library.WriteOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * The object that describes a container and has its name. Its data is a {@link Manifest}; its
 * attribute {@code state} is {@code complete}, or {@code incomplete} while the container is created
 * or removed. The state {@code incomplete} is written before the first object of the container is
 * created or removed.
 *
 * @param pool the pool
 * @param location the location, whose name is that of the object
 */
record Description(Pool pool, RadosLocation location) {
  private static final String STATE = "state";

  /** The states of a container. */
  enum State {
    COMPLETE("complete"),
    /** The container is being created or removed. */
    INCOMPLETE("incomplete");

    private final String text;

    State(String text) {
      this.text = text;
    }
  }

  /**
   * Creates the object.
   *
   * @throws ContainerException if an object of this name exists
   */
  void create(Manifest manifest, State state) {
    byte[] text = manifest.encode();
    try (Arena arena = Arena.ofConfined();
        WriteOperation change = pool.change()) {
      MemorySegment data = arena.allocate(text.length).copyFrom(MemorySegment.ofArray(text));
      pool.write(
          location.name(), change.create().data(data).attribute(STATE, Pool.ascii(state.text)));
    } catch (RadosException e) {
      if (e.number() == RadosException.EXISTS) {
        throw new ContainerException(
            Reason.EXISTS, location.toString(), "nothing", "an object of this name");
      }
      throw e;
    }
  }

  /** Notes that the container is complete, or that its removal begins. */
  void set(State state) {
    try (WriteOperation change = pool.change()) {
      pool.write(location.name(), change.attribute(STATE, Pool.ascii(state.text)));
    }
  }

  /** Removes the object. */
  void remove() {
    try (WriteOperation change = pool.change()) {
      pool.write(location.name(), change.remove());
    }
  }

  /** Returns whether an object of this name exists. */
  boolean exists() {
    return pool.size(location.name()).isPresent();
  }

  /**
   * Reads the description of a container, complete or not.
   *
   * @throws ContainerException if there is no object of this name, or it does not describe a
   *     container of a known version
   * @throws io.skerry.exception.FormatException if the description is damaged
   */
  Manifest read() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(Manifest.LARGEST);
      long size = pool.read(location.name(), data);
      if (size < 0) {
        throw new ContainerException(Reason.MISSING, location.toString(), "a container", "nothing");
      }
      return Manifest.decode(
          data.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE), location.toString());
    }
  }

  /**
   * Reads the description of a complete container.
   *
   * @throws ContainerException as {@link #read} does, or if the container is incomplete
   * @throws io.skerry.exception.FormatException if the description is damaged
   */
  Manifest complete() {
    Manifest manifest = read();
    Optional<byte[]> state = pool.attribute(location.name(), STATE);
    if (state.isEmpty() || !Arrays.equals(state.get(), Pool.ascii(State.COMPLETE.text))) {
      throw new ContainerException(
          Reason.INCOMPLETE,
          location.toString(),
          "a complete container",
          "one whose creation or removal was interrupted");
    }
    return manifest;
  }
}
