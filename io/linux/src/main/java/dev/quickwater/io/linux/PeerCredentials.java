package dev.quickwater.io.linux;

/// Who is at the other end of a Unix socket, as the kernel guarantees it.
///
/// @param processId the process
/// @param userId its effective user
/// @param groupId its effective group
public record PeerCredentials(int processId, int userId, int groupId) {}
