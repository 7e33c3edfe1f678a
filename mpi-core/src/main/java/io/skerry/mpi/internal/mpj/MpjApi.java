package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.internal.jar.JarClasses;
import java.lang.invoke.MethodHandle;

/** The methods and constants of MPJ Express that this back end uses. */
final class MpjApi {
  private final MethodHandle end;
  private final MethodHandle send;
  private final MethodHandle receive;
  private final MethodHandle count;
  private final MethodHandle source;
  private final Object world;
  private final Object bytes;
  private final int anySource;
  private final int rank;
  private final int size;

  private MpjApi(JarClasses classes) throws Throwable {
    var type = classes.named("mpi.Datatype");
    var status = classes.named("mpi.Status");
    end = classes.function("mpi.MPI", "Finalize", void.class);
    send =
        classes.method(
            "mpi.Comm",
            "Send",
            void.class,
            Object.class,
            int.class,
            int.class,
            type,
            int.class,
            int.class);
    receive =
        classes.method(
            "mpi.Comm",
            "Recv",
            status,
            Object.class,
            int.class,
            int.class,
            type,
            int.class,
            int.class);
    count = classes.method("mpi.Status", "Get_count", int.class, type);
    source = classes.field("mpi.Status", "source", int.class);
    world = classes.constant("mpi.MPI", "COMM_WORLD");
    bytes = classes.constant("mpi.MPI", "BYTE");
    anySource = (int) classes.constant("mpi.MPI", "ANY_SOURCE");
    rank = (int) classes.method("mpi.Comm", "Rank", int.class).invokeExact(world);
    size = (int) classes.method("mpi.Comm", "Size", int.class).invokeExact(world);
  }

  /**
   * Initializes MPJ Express.
   *
   * @param classes the classes of MPJ Express
   * @param arguments the arguments that {@code mpjrun} has inserted before those of the program
   * @throws MpiException if MPJ Express is another version or cannot be initialized
   */
  static MpjApi start(JarClasses classes, String[] arguments) {
    var begin = classes.function("mpi.MPI", "Init", String[].class, String[].class);
    try {
      var unused = (String[]) begin.invokeExact(arguments);
      return new MpjApi(classes);
    } catch (MpiException e) {
      throw e;
    } catch (LinkageError e) {
      throw JarClasses.unusable(
          "MPJ Express needs log4j: expected=-Xbootclasspath/a:log4j-1.2.jar among mpjrun's options"
              + " found="
              + e,
          e);
    } catch (Throwable t) {
      // The exceptions of MPJ Express are unchecked.
      throw JarClasses.unusable("MPJ Express did not start: " + t, t);
    }
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  void send(byte[] packet, int length, int to, int tag) throws Throwable {
    send.invokeExact(world, (Object) packet, 0, length, bytes, to, tag);
  }

  /** Receives a packet from any rank and returns its status; {@link #source} returns the sender. */
  Object receive(byte[] packet, int tag) throws Throwable {
    return (Object)
        receive.invokeExact(world, (Object) packet, 0, packet.length, bytes, anySource, tag);
  }

  int source(Object status) throws Throwable {
    return (int) source.invokeExact(status);
  }

  int count(Object status) throws Throwable {
    return (int) count.invokeExact(status, bytes);
  }

  void end() throws Throwable {
    end.invokeExact();
  }
}
