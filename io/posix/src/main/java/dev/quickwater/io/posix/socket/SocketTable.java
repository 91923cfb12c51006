package dev.quickwater.io.posix.socket;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The registered sockets of a poller whose kernel returns a number with each event.
///
/// The number is a slot with a generation, never a bare descriptor: a queued event of a closed
/// socket cannot reach the next owner of the descriptor or of the slot. Loop thread only.
public final class SocketTable {

  private @Nullable SocketDescriptor[] slots = new SocketDescriptor[64];
  private int[] freeSlots = new int[64];
  private int freeCount;
  private int nextSlot;
  private int generation;

  /// An empty table.
  public SocketTable() {}

  /// Assigns the socket its slot and generation.
  public void add(SocketDescriptor socket) {
    int slot = freeCount > 0 ? freeSlots[--freeCount] : nextSlot++;
    if (slot == slots.length) {
      slots = Arrays.copyOf(slots, slot * 2);
    }
    socket.slot = slot;
    socket.generation = ++generation & 0x7fff_ffff;
    slots[slot] = socket;
  }

  /// Frees the slot of a socket.
  public void remove(SocketDescriptor socket) {
    int slot = socket.slot;
    slots[slot] = null;
    if (freeCount == freeSlots.length) {
      freeSlots = Arrays.copyOf(freeSlots, freeCount * 2);
    }
    freeSlots[freeCount++] = slot;
  }

  /// The socket whose [SocketDescriptor#data] an event has; null if it was removed.
  public @Nullable SocketDescriptor find(long data) {
    @Nullable SocketDescriptor socket = slots[(int) data];
    return socket != null && socket.data() == data ? socket : null;
  }
}
