package io.skerry.jobs.lcls;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Whether this process was sent {@value #NAME}, with which Slurm, on request, warns of a time limit
 * and which mpirun and srun pass on to the ranks. Receiving it does nothing but remember it: the
 * ranks must agree on when to stop, and no MPI library may be called from a signal handler.
 *
 * <p>Java receives signals by {@code sun.misc.Signal} alone. Its name in the source would be a
 * warning that no option silences, so it is called by reflection.
 */
final class StopSignal implements BooleanSupplier, AutoCloseable {
  private static final String NAME = "USR1";

  private final AtomicBoolean received = new AtomicBoolean();
  private final Object before;

  private StopSignal() throws ReflectiveOperationException {
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    before =
        handle(
            Proxy.newProxyInstance(
                StopSignal.class.getClassLoader(),
                new Class<?>[] {handler},
                (_, method, _) -> {
                  if (!method.getName().equals("handle")) {
                    throw new UnsupportedOperationException(method.getName());
                  }
                  received.set(true);
                  return null;
                }));
  }

  /** Listens from now on; until then the signal ends the process, unless its parent ignores it. */
  static StopSignal listen() {
    try {
      return new StopSignal();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java receives no signals: name=" + NAME, e);
    }
  }

  private static Object handle(Object handler) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    return signal
        .getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"))
        .invoke(null, signal.getConstructor(String.class).newInstance(NAME), handler);
  }

  @Override
  public boolean getAsBoolean() {
    return received.get();
  }

  @Override
  public void close() {
    try {
      handle(before);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the signal cannot be left: name=" + NAME, e);
    }
  }
}
