package io.skerry.mpi.internal.mpj;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.skerry.mpi.Communicator;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Detects lost ranks through a connection from each rank to rank 0. The only message after the
 * handshake is a farewell; if a connection breaks without a farewell, the rank at the other end is
 * considered lost. MPJ Express does not detect lost ranks, and the other ranks would wait forever.
 * When rank 0 detects a lost rank, it ends its process; the other ranks then detect the loss of
 * rank 0 and end too.
 *
 * <pre>
 *   rank to rank 0:  token (16 bytes), rank (4 bytes)  thanks (1 byte)     ... farewell (1 byte)
 *   rank 0 to rank:                   welcome (1 byte)                     ... farewell (1 byte)
 * </pre>
 *
 * A rank may have given up a connection, and have connected to another address, before rank 0
 * accepts it. The abandoned connection breaks although no rank is lost. The thanks message shows
 * that the rank still uses the connection; rank 0 does not monitor a connection on which it has not
 * received this message.
 */
final class FailureDetector implements AutoCloseable {
  private static final int TOKEN = 16;
  private static final byte WELCOME = 1;
  private static final byte FAREWELL = 2;
  private static final byte THANKS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final IntConsumer lost;
  private final List<Socket> sockets = new ArrayList<>();
  private boolean closed;

  private FailureDetector(IntConsumer lost) {
    this.lost = lost;
  }

  /**
   * Connects the ranks. Collective. A rank that cannot connect to rank 0 is not monitored.
   *
   * @param world the communicator of all ranks
   * @param lost the function that receives the number of a lost rank; called on a separate thread
   */
  static FailureDetector of(Communicator world, IntConsumer lost) {
    var detector = new FailureDetector(lost);
    if (world.rank() == 0) {
      detector.listen(world);
    } else {
      detector.connect(world);
    }
    return detector;
  }

  private void listen(Communicator world) {
    var token = new byte[TOKEN];
    new SecureRandom().nextBytes(token);
    var port = 0;
    try {
      var server = new ServerSocket(0, world.size());
      port = server.getLocalPort();
      Thread.ofPlatform()
          .daemon()
          .name("skerry-lifeline")
          .start(() -> acceptAll(server, token, world.size() - 1));
    } catch (IOException e) {
      // Port 0 means that no rank is monitored.
      port = 0;
    }
    var addresses = String.join(" ", addresses()).getBytes(US_ASCII);
    var offer =
        ByteBuffer.allocate(TOKEN + Integer.BYTES + addresses.length)
            .put(token)
            .putInt(port)
            .put(addresses);
    world.broadcast(offer.array(), 0);
  }

  private static List<String> addresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getHostAddress)
          .filter(address -> !address.contains("%"))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private void acceptAll(ServerSocket server, byte[] token, int ranks) {
    try (server) {
      for (int known = 0; known < ranks; ) {
        var socket = server.accept();
        if (greets(socket, token)) {
          known++;
        } else {
          closeQuietly(socket);
        }
      }
    } catch (IOException e) {
      // Ranks that are not connected are not monitored.
    }
  }

  /** Returns whether a rank of the job is at the other end and is now monitored. */
  private boolean greets(Socket socket, byte[] token) {
    try {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      var in = new DataInputStream(socket.getInputStream());
      if (!Arrays.equals(token, in.readNBytes(TOKEN))) {
        return false;
      }
      int rank = in.readInt();
      socket.getOutputStream().write(WELCOME);
      if (!isThanked(socket)) {
        return false;
      }
      socket.setSoTimeout(0);
      watch(socket, rank);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isThanked(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() == THANKS;
    } catch (SocketTimeoutException e) {
      // The rank may already monitor the connection. Without the farewell, it would consider rank 0
      // lost as soon as the connection is closed.
      socket.getOutputStream().write(FAREWELL);
      return false;
    }
  }

  private void connect(Communicator world) {
    var offer = ByteBuffer.wrap(world.broadcast(new byte[0], 0));
    var token = new byte[TOKEN];
    offer.get(token);
    int port = offer.getInt();
    var addresses = new byte[offer.remaining()];
    offer.get(addresses);
    for (var address : new String(addresses, US_ASCII).split(" ")) {
      if (port != 0 && reaches(address, port, token, world.rank())) {
        return;
      }
    }
  }

  private boolean reaches(String address, int port, byte[] token, int rank) {
    var socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(address, port), (int) PATIENCE.toMillis());
      socket
          .getOutputStream()
          .write(ByteBuffer.allocate(TOKEN + Integer.BYTES).put(token).putInt(rank).array());
      // Without the welcome, the connection must not be watched: rank 0 sends the farewell only
      // to ranks that it has accepted.
      socket.setSoTimeout((int) PATIENCE.toMillis());
      if (socket.getInputStream().read() != WELCOME) {
        closeQuietly(socket);
        return false;
      }
      socket.setSoTimeout(0);
      socket.getOutputStream().write(THANKS);
      watch(socket, 0);
      return true;
    } catch (IOException e) {
      closeQuietly(socket);
      return false;
    }
  }

  private void watch(Socket socket, int rank) {
    synchronized (this) {
      if (closed) {
        dismiss(socket);
        return;
      }
      sockets.add(socket);
    }
    Thread.ofPlatform()
        .daemon()
        .name("skerry-lifeline-to-" + rank)
        .start(() -> {
          if (!saysFarewell(socket) && !isClosed()) {
            lost.accept(rank);
          }
        });
  }

  private static boolean saysFarewell(Socket socket) {
    try {
      return socket.getInputStream().read() == FAREWELL;
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Sends the farewell, so that the end of this rank does not count as a loss. Local. */
  @Override
  public synchronized void close() {
    closed = true;
    sockets.forEach(FailureDetector::dismiss);
  }

  private static void dismiss(Socket socket) {
    try {
      socket.getOutputStream().write(FAREWELL);
    } catch (IOException e) {
      // The rank at the other end has already ended.
    }
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Ignored, so that the farewell is still sent over the other sockets.
    }
  }
}
